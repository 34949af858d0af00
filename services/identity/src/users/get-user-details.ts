import type { UserActor } from '@tapeline/contracts/actor'
import type { UserDetails } from '@tapeline/contracts/identity/http'
import { AppError } from '@tapeline/service/app-error'
import type { Deps } from '../deps.ts'
import { findIdentityOf } from '../oauth/oauth-queries.ts'
import { cachedProfile } from './cached-profile.ts'
import { presentUser } from './present-user.ts'
import { findUser } from './user-queries.ts'

/**
 * The user with their profile from config; without config, with the flags of the snapshot.
 * @throws AppError account.not_found
 */
export async function getUserDetails(deps: Deps, actor: UserActor): Promise<UserDetails> {
  const row = await findUser(deps.db, actor.userId)
  if (row === undefined) throw new AppError('account.not_found', 'There is no such account.')
  const profile = (await deps.findProfile(row.id, row.role)) ?? cachedProfile(deps, row, actor.tier)
  const { tier, featureFlags, flags, configs, globalConfigs } = profile
  const google = (await findIdentityOf(deps.db, row.id)) !== undefined
  return {
    user: presentUser(row, { tier, featureFlags }),
    role: row.role,
    featureFlags,
    flags,
    configs,
    globalConfigs,
    signInMethods: { password: row.password_hash !== null, google },
  }
}
