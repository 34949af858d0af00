import type { AccountCountQuestion, Affected } from '@tapeline/contracts/config/flags'
import { rolesReached } from '@tapeline/service/settings/flag-rules'
import type { Deps } from '../deps.ts'
import { countAccountsInShare } from './user-queries.ts'

/** How many active accounts of a role and those above it lie in a flag's share, for config. */
export function countAccounts(
  { db }: Pick<Deps, 'db'>,
  { role, key, percent }: AccountCountQuestion,
): Promise<Affected> {
  return countAccountsInShare(db, { roles: rolesReached(role), key, percent })
}
