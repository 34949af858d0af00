import type { AccountCountRequest, Affected } from '@tapeline/contracts/config/flags'
import { rolesReached } from '@tapeline/service/settings/flag-rules'
import type { Deps } from '../deps.ts'
import { countAccountsInShare } from './user-queries.ts'

/** Number of active accounts with a role or a higher one in a flag's rollout, for config. */
export function countAccounts(
  { db }: Pick<Deps, 'db'>,
  { role, key, percent }: AccountCountRequest,
): Promise<Affected> {
  return countAccountsInShare(db, { roles: rolesReached(role), key, percent })
}
