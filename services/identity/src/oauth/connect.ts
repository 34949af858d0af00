import type { Actor } from '@tapeline/contracts/actor'
import { canonicalEmail } from '@tapeline/contracts/identity/canonical-email'
import type { Transaction } from 'kysely'
import type { Deps } from '../deps.ts'
import { lockPassword } from '../passwords/password-queries.ts'
import { endSession } from '../sessions/end-session.ts'
import { recordSignIn } from '../sessions/record-sign-in.ts'
import { findOpenSession } from '../sessions/session-queries.ts'
import type { Tables } from '../tables.ts'
import { findUser, type UserRow } from '../users/user-queries.ts'
import { alreadyConnected, linkedElsewhere } from './already-connected.ts'
import type { ProviderIdentity } from './provider-identity.ts'
import type { Entry } from './entry.ts'
import { storeToken } from '../grants/store-token.ts'
import { linkIdentity } from './link-identity.ts'
import { findIdentityOf, type IdentityRow } from './oauth-queries.ts'
import { invalidState } from './provider-flow.ts'

export type Connection = {
  caller: { userId: string; sessionId: string }
  identity: IdentityRow | undefined
  claim: ProviderIdentity
}

/**
 * Links an identity to the caller's account. The calling session must be active and is replaced by a new one, since
 * the identity can now sign in. Undefined for another address than the account's: then the password is required.
 * @throws AppError oauth.state_invalid, oauth.linked_elsewhere, oauth.already_connected
 */
export async function connect(
  trx: Transaction<Tables>,
  deps: Deps,
  actor: Actor,
  { caller, identity, claim }: Connection,
): Promise<Entry | undefined> {
  const { userId, sessionId } = caller
  // A concurrent new password either ends the calling session first, or ends the new one.
  await lockPassword(trx, userId)
  const before = await findOpenSession(trx, userId, { sessionId, at: deps.now() })
  const owner = await findUser(trx, userId)
  if (before === undefined || owner === undefined) throw invalidState()
  if (identity !== undefined && identity.user_id !== userId) {
    throw linkedElsewhere()
  }
  if (identity === undefined) {
    if ((await findIdentityOf(trx, userId)) !== undefined) throw alreadyConnected()
    if (!isSameProvenAddress(owner, claim)) return undefined
    await linkIdentity(trx, deps, actor, { user: owner, claim, by: 'session' })
  }
  const signIn = await renewSession(trx, deps, actor, { userId, sessionId, isRemembered: before.is_remembered })
  if (identity !== undefined) await storeToken(trx, deps, { identity, claim })
  return { ...signIn, isNewUser: false }
}

type Renewal = { userId: string; sessionId: string; isRemembered: boolean }

async function renewSession(
  trx: Transaction<Tables>,
  deps: Deps,
  actor: Actor,
  { userId, sessionId, isRemembered }: Renewal,
): Promise<Omit<Entry, 'isNewUser'>> {
  const version = await endSession(trx, deps, actor, { userId, sessionId, reason: 'revoked' })
  const user = await findUser(trx, userId)
  if (version === undefined || user === undefined) throw invalidState()
  return { ...(await recordSignIn(trx, deps, actor, { user, isRemembered })), version }
}

function isSameProvenAddress(owner: UserRow, { email, isEmailVerified }: ProviderIdentity): boolean {
  const isProven = owner.email_verified && isEmailVerified
  return isProven && email !== null && canonicalEmail(email) === owner.email_canonical
}
