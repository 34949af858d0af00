import type { Role } from '@tapeline/contracts/actor'
import type { AccountProfile } from '@tapeline/contracts/config/http'
import type { Deps } from './deps.ts'
import { listFlagsOf } from './flags/list-flags.ts'
import { listPublicConfigs } from './global-configs/list-public-configs.ts'
import { readSettings } from './settings/read-settings.ts'
import { readSubscription } from './subscriptions/read-subscription.ts'
import { tierAt } from './subscriptions/tier-at.ts'

/** The part of a user's details that config owns; identity adds it to its response. */
export async function readProfile(
  deps: Pick<Deps, 'db' | 'now' | 'settings'>,
  accountId: string,
  role: Role,
): Promise<AccountProfile> {
  const [subscription, flags, globalConfigs, saved] = await Promise.all([
    readSubscription(deps, accountId),
    listFlagsOf(deps, { userId: accountId, role }),
    listPublicConfigs(deps),
    readSettings(deps, accountId),
  ])
  return {
    tier: tierAt(subscription, deps.now()),
    time_zone: subscription.time_zone,
    ...flags,
    configs: { user_settings: saved.user_settings, user_settings_version: saved.version },
    globalConfigs,
  }
}
