import type { Actor } from '@tapeline/contracts/actor'
import { AppError } from '@tapeline/service/app-error'
import type { Transaction } from 'kysely'
import type { Deps } from '../deps.ts'
import { endSession } from '../sessions/end-session.ts'
import type { Tables } from '../tables.ts'
import { findUser } from '../users/user-queries.ts'
import type { Claim } from './claim.ts'
import { linkIdentity, sealToken } from './link-identity.ts'
import { findLivingSession, type IdentityRow, replaceToken } from './oauth-queries.ts'
import { invalidState } from './provider-flow.ts'
import { type Entry, recordSignIn } from './record-sign-in.ts'

export type Connection = {
  caller: { userId: string; sessionId: string }
  identity: IdentityRow | undefined
  claim: Claim
}

/** The session that asked must still live; a new one takes its place, because it can do more from now on. */
export async function connect(
  trx: Transaction<Tables>,
  deps: Deps,
  actor: Actor,
  { caller, identity, claim }: Connection,
): Promise<Entry> {
  const { userId, sessionId } = caller
  const before = await findLivingSession(trx, userId, { sessionId, at: deps.now() })
  const version = await endSession(trx, deps, actor, { userId, sessionId, reason: 'revoked' })
  const user = await findUser(trx, userId)
  if (before === undefined || version === undefined || user === undefined) throw invalidState()
  if (identity !== undefined && identity.user_id !== userId) {
    throw new AppError('oauth.linked_elsewhere', 'This Google account opens another account here.')
  }
  if (identity === undefined) await linkIdentity(trx, deps, actor, { user, claim, by: 'session' })
  else await replaceToken(trx, userId, sealToken(deps, claim))
  const signIn = await recordSignIn(trx, deps, actor, { user, isRemembered: before.is_remembered })
  return { ...signIn, isNewUser: false, version }
}
