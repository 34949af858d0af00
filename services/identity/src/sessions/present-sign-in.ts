import type { User } from '@tapeline/contracts/identity/http'
import type { Deps } from '../deps.ts'
import { presentUser } from '../users/present-user.ts'
import type { UserRow } from '../users/user-queries.ts'
import type { StartedSession } from './start-session.ts'

export type SignedInUser = StartedSession & { user: User }

/** Who signed in, with what config knows of them; without config, on the free tier and without flags. */
export async function presentSignIn(
  deps: Pick<Deps, 'findProfile'>,
  { user, session }: { user: UserRow; session: StartedSession },
): Promise<SignedInUser> {
  const profile = await deps.findProfile(user.id, user.role)
  const { tier, featureFlags } = profile ?? { tier: 'free', featureFlags: [] }
  return { ...session, user: presentUser(user, { tier, featureFlags }) }
}
