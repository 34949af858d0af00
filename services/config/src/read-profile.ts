import type { Role } from '@tapeline/contracts/actor'
import type { AccountProfile } from '@tapeline/contracts/config/http'
import type { Deps } from './deps.ts'
import { listFlagsOfRole } from './list-flags.ts'
import { readSubscription } from './subscriptions/read-subscription.ts'

/** What config knows of an account, for the answer that identity gives about a user. */
export async function readProfile(
  deps: Pick<Deps, 'db' | 'now'>,
  accountId: string,
  role: Role,
): Promise<AccountProfile> {
  const [{ tier, time_zone }, flags] = await Promise.all([
    readSubscription(deps, accountId),
    listFlagsOfRole(deps, role),
  ])
  return { tier, time_zone, ...flags, configs: {}, globalConfigs: {} }
}
