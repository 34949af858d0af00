import type { Affected, AffectedQuery } from '@tapeline/contracts/config/flags'
import type { Deps } from '../deps.ts'

/** Number of active accounts that a flag would reach, counted by identity, which owns the roles. */
export function countAffected(
  { countAccounts }: Pick<Deps, 'countAccounts'>,
  { flag_key, role = 'user', rollout_percent: percent = 100 }: AffectedQuery,
): Promise<Affected> {
  return countAccounts({ key: flag_key.trim(), role, percent })
}
