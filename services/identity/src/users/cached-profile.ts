import type { Tier } from '@tapeline/contracts/actor'
import type { AccountProfile } from '@tapeline/contracts/config/http'
import type { Deps } from '../deps.ts'
import type { UserRow } from './user-queries.ts'

/** A user's profile while config does not respond, with the flags of this process's cached snapshot. */
export function cachedProfile(
  { settings }: Pick<Deps, 'settings'>,
  { id, role }: Pick<UserRow, 'id' | 'role'>,
  tier: Tier,
): Omit<AccountProfile, 'time_zone'> {
  const flags = settings.flagsFor({ userId: id, role })
  const globalConfigs = flags === undefined ? {} : settings.publicValues()
  return { tier, ...(flags ?? { featureFlags: [], flags: [] }), configs: {}, globalConfigs }
}
