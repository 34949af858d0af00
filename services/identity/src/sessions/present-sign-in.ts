import type { User } from '@tapeline/contracts/identity/http'
import type { Deps } from '../deps.ts'
import { cachedProfile } from '../users/cached-profile.ts'
import { presentUser } from '../users/present-user.ts'
import type { UserRow } from '../users/user-queries.ts'
import { newDeviceToken } from './device-token.ts'
import type { StartedSession } from './start-session.ts'

export type SignedInUser = StartedSession & { user: User; deviceToken: string }
type SignIn = { user: UserRow; session: StartedSession; deviceId?: string | undefined }

/**
 * Response of a sign-in with the user's profile from config; without config, the free tier and the flags of the
 * snapshot.
 */
export async function presentSignIn(
  deps: Pick<Deps, 'findProfile' | 'secret' | 'now' | 'settings'>,
  { user, session, deviceId }: SignIn,
): Promise<SignedInUser> {
  const profile = await deps.findProfile(user.id, user.role)
  const { tier, featureFlags } = profile ?? cachedProfile(deps, user, 'free')
  const deviceToken = newDeviceToken(deps, user, deviceId)
  return { ...session, user: presentUser(user, { tier, featureFlags }), deviceToken }
}
