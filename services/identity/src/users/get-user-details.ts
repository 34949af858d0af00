import type { UserActor } from '@tapeline/contracts/actor'
import type { AccountProfile } from '@tapeline/contracts/config/http'
import type { UserDetails } from '@tapeline/contracts/identity/http'
import { AppError } from '@tapeline/service/app-error'
import type { Deps } from '../deps.ts'
import { presentUser } from './present-user.ts'
import { findUser } from './user-queries.ts'

/** The user with what config knows of them; without config, the user alone. */
export async function getUserDetails(deps: Deps, actor: UserActor): Promise<UserDetails> {
  const row = await findUser(deps.db, actor.userId)
  if (row === undefined) throw new AppError('account.not_found', 'There is no such account.')
  const profile = (await deps.findProfile(row.id, row.role)) ?? withoutConfig(actor)
  const { tier, featureFlags, flags, configs, globalConfigs } = profile
  return { user: presentUser(row, { tier, featureFlags }), role: row.role, featureFlags, flags, configs, globalConfigs }
}

function withoutConfig({ tier, timeZone }: UserActor): AccountProfile {
  return { tier, time_zone: timeZone, featureFlags: [], flags: [], configs: {}, globalConfigs: {} }
}
