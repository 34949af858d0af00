import type { Tier } from '@tapeline/contracts/actor'
import type { AccountProfile } from '@tapeline/contracts/config/http'
import type { Deps } from '../deps.ts'
import type { UserRow } from './user-queries.ts'

/** What this process itself knows of a user while config does not answer: their flags, as it last heard of them. */
export function knownProfile(
  { settings }: Pick<Deps, 'settings'>,
  { id, role }: Pick<UserRow, 'id' | 'role'>,
  tier: Tier,
): Omit<AccountProfile, 'time_zone'> {
  const known = settings.flagsFor({ userId: id, role })
  const globalConfigs = known === undefined ? {} : settings.publicValues()
  return { tier, ...(known ?? { featureFlags: [], flags: [] }), configs: {}, globalConfigs }
}
