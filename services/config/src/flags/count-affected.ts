import type { Affected, AffectedQuery } from '@tapeline/contracts/config/flags'
import type { Deps } from '../deps.ts'

/** How many active accounts a flag would reach; identity counts, because it knows who has which role. */
export function countAffected(
  { countAccounts }: Pick<Deps, 'countAccounts'>,
  { flag_key, role = 'user', rollout_percent: percent = 100 }: AffectedQuery,
): Promise<Affected> {
  return countAccounts({ key: flag_key.trim(), role, percent })
}
