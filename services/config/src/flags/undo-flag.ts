import type { UserActor } from '@tapeline/contracts/actor'
import type { AdminFlag, FlagState, UndoFlag } from '@tapeline/contracts/config/flags'
import { AppError } from '@tapeline/service/app-error'
import type { Transaction } from 'kysely'
import type { Deps } from '../deps.ts'
import { nextPlatformVersion } from '../platform-version-queries.ts'
import type { FeatureFlagRow, Tables } from '../tables.ts'
import { findFlagChange } from './flag-queries.ts'
import { lockFlagToChange } from './lock-flag-to-change.ts'
import { presentAdminFlag, presentState } from './present-flag.ts'
import { saveFlag } from './save-flag.ts'

/**
 * Reverts the newest change with a new change; a second undo restores it.
 * @throws AppError when there is nothing to undo or the version has changed
 */
export function undoFlag(
  deps: Pick<Deps, 'db' | 'now' | 'newId'>,
  actor: UserActor,
  id: string,
  { version, reason }: UndoFlag,
): Promise<AdminFlag> {
  return deps.db.transaction().execute(async (trx) => {
    const platformVersion = await nextPlatformVersion(trx)
    const row = await lockFlagToChange(trx, actor, id, version)
    const after = await stateBefore(trx, row)
    return presentAdminFlag(await saveFlag(deps, trx, actor, { row, after, reason, platformVersion }))
  })
}

/** A flag that did not exist before is removed. */
async function stateBefore(trx: Transaction<Tables>, row: FeatureFlagRow): Promise<FlagState> {
  const newest = await findFlagChange(trx, row.id, row.version)
  if (newest === undefined) throw new AppError('flag.nothing_to_undo', 'This flag has not been changed yet.')
  return newest.before ?? { ...presentState(row), is_active: false, enabled: false }
}
