import type { UserActor } from '@tapeline/contracts/actor'
import type { AdminFlag, FlagState, UpdateFlag } from '@tapeline/contracts/config/flags'
import type { Deps } from '../deps.ts'
import { nextPlatformVersion } from '../platform-version-queries.ts'
import type { FeatureFlagRow } from '../tables.ts'
import { inUtc } from './create-flag.ts'
import { lockFlagToChange } from './lock-flag-to-change.ts'
import { presentAdminFlag, presentState } from './present-flag.ts'
import { saveFlag } from './save-flag.ts'

/** Changes what is sent of a flag. Removing it also switches it off; it can be restored. */
export function updateFlag(
  deps: Pick<Deps, 'db' | 'now' | 'newId'>,
  actor: UserActor,
  { flagId, version, reason, ...changes }: UpdateFlag,
): Promise<AdminFlag> {
  return deps.db.transaction().execute(async (trx) => {
    const platformVersion = await nextPlatformVersion(trx)
    const row = await lockFlagToChange(trx, actor, flagId, version)
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
