import type { Actor } from '@tapeline/contracts/actor'
import { canonicalEmail } from '@tapeline/contracts/identity/canonical-email'
import type { Transaction } from 'kysely'
import { returnToAccount } from '../account-deletion/return-to-account.ts'
import type { Deps } from '../deps.ts'
import { lockPassword } from '../passwords/password-queries.ts'
import { recordSignIn } from '../sessions/record-sign-in.ts'
import { startSession } from '../sessions/start-session.ts'
import type { Tables } from '../tables.ts'
import { insertAccount, userVersion } from '../users/insert-account.ts'
import { newUserRow } from '../users/new-user-row.ts'
import { requireOpenSignUp } from '../users/require-open-sign-up.ts'
import { findUser, findUserByEmail, lockUser, type UserRow } from '../users/user-queries.ts'
import type { ProviderIdentity } from './provider-identity.ts'
import { connect } from './connect.ts'
import type { Entry } from './entry.ts'
import { storeToken } from '../grants/store-token.ts'
import { linkIdentity } from './link-identity.ts'
import { findIdentity, lockIdentity } from './oauth-queries.ts'
import { invalidState, type UsedFlow } from './provider-flow.ts'

export type Arrival = { flow: UsedFlow; claim: ProviderIdentity }

/**
 * Resolves the account of a provider identity: the linked one; the caller's own when connecting, or the one with the
 * same address if both sides have verified it; otherwise a new one. Undefined: a password is required.
 */
export async function resolveProviderAccount(
  trx: Transaction<Tables>,
  deps: Deps,
  actor: Actor,
  { flow, claim }: Arrival,
): Promise<Entry | undefined> {
  const identity = await findIdentity(trx, claim)
  if (flow.user_id !== null && flow.session_id !== null) {
    const caller = { userId: flow.user_id, sessionId: flow.session_id }
    return connect(trx, deps, actor, { caller, identity, claim })
  }
  if (identity !== undefined) return signInAgain(trx, deps, actor, { userId: identity.user_id, claim })
  const email = claim.isEmailVerified ? claim.email : null
  if (email === null) return undefined
  const found = await findUserByEmail(trx, canonicalEmail(email))
  if (found === undefined) return signUp(trx, deps, actor, { claim, email })
  await lockPassword(trx, found.id)
  const user = await findUser(trx, found.id)
  if (user?.email_verified !== true) return undefined
  await linkIdentity(trx, deps, actor, { user, claim, by: 'verified_email' })
  return existingUser(trx, deps, actor, user)
}

/** The link may have been removed concurrently; a concurrent new password comes first, or ends the new session. */
async function signInAgain(
  trx: Transaction<Tables>,
  deps: Deps,
  actor: Actor,
  { userId, claim }: { userId: string; claim: ProviderIdentity },
): Promise<Entry> {
  await lockPassword(trx, userId)
  const user = await lockUser(trx, userId)
  const identity = user && (await lockIdentity(trx, userId, claim))
  if (user === undefined || identity === undefined) throw invalidState()
  await storeToken(trx, deps, { identity, claim })
  return existingUser(trx, deps, actor, user)
}

/** Signing in before the deletion restores the account. */
async function existingUser(trx: Transaction<Tables>, deps: Deps, actor: Actor, found: UserRow): Promise<Entry> {
  const user = (await returnToAccount(trx, deps, actor, found.id)) ?? found
  const signIn = await recordSignIn(trx, deps, actor, { user, isRemembered: false })
  return { ...signIn, isNewUser: false, version: user.version === found.version ? undefined : userVersion(user) }
}

type NewPerson = { claim: ProviderIdentity; email: string }

async function signUp(trx: Transaction<Tables>, deps: Deps, actor: Actor, { claim, email }: NewPerson): Promise<Entry> {
  requireOpenSignUp(deps)
  const now = deps.now()
  const profile = { email, first_name: claim.firstName, last_name: claim.lastName, mobile: '' }
  const blank = newUserRow(profile, { id: deps.newId(), now, passwordHash: null })
  const row = { ...blank, email_verified: true, last_login_at: now }
  const user = await insertAccount(trx, deps, actor, { row, tier: 'free' })
  await linkIdentity(trx, deps, actor, { user, claim, by: 'sign_up' })
  const session = await startSession(trx, deps, actor, { userId: user.id, isRemembered: false })
  return { user, session, isNewUser: true, version: userVersion(user) }
}
