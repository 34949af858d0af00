import type { UserActor } from '@tapeline/contracts/actor'
import type { AdminFlag, FlagState, UpdateFlag } from '@tapeline/contracts/config/flags'
import { AppError } from '@tapeline/service/app-error'
import type { Deps } from '../deps.ts'
import { nextPlatformVersion } from '../platform-version-queries.ts'
import type { FeatureFlagRow } from '../tables.ts'
import { inUtc } from './create-flag.ts'
import { lockFlagToChange } from './lock-flag-to-change.ts'
import { presentAdminFlag, presentState } from './present-flag.ts'
import { saveFlag } from './save-flag.ts'

/**
 * Changes the given fields of a flag. Deleting it also disables it; only `is_active` can be changed afterwards.
 * @throws AppError flag.not_found
 */
export function updateFlag(
  deps: Pick<Deps, 'db' | 'now' | 'newId'>,
  actor: UserActor,
  { flagId, version, reason, ...changes }: UpdateFlag,
): Promise<AdminFlag> {
  return deps.db.transaction().execute(async (trx) => {
    const platformVersion = await nextPlatformVersion(trx)
    const row = await lockFlagToChange(trx, actor, flagId, version)
    if (!row.is_active && changes.is_active === undefined) {
      throw new AppError('flag.not_found', 'This feature flag was deleted. To restore it, send is_active: true.')
    }
    const after = changed(row, changes)
    return presentAdminFlag(await saveFlag(deps, trx, actor, { row, after, reason, platformVersion }))
  })
}

type Changes = Omit<UpdateFlag, 'flagId' | 'version' | 'reason'>

function changed(row: FeatureFlagRow, changes: Changes): FlagState {
  const before = presentState(row)
  const { enabled_from, enabled_until } = changes
  const after = {
    ...before,
    ...changes,
    enabled_from: enabled_from === undefined ? before.enabled_from : inUtc(enabled_from),
    enabled_until: enabled_until === undefined ? before.enabled_until : inUtc(enabled_until),
  }
  return after.is_active ? after : { ...after, enabled: false }
}
