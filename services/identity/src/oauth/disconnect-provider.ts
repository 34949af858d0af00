import type { UserActor } from '@tapeline/contracts/actor'
import { newEvent } from '@tapeline/contracts/event'
import { providerUnlinked } from '@tapeline/contracts/identity/events'
import type { DisconnectProvider } from '@tapeline/contracts/identity/oauth'
import { recordEvent } from '@tapeline/events/outbox'
import { AppError } from '@tapeline/service/app-error'
import type { Transaction } from 'kysely'
import type { Deps } from '../deps.ts'
import { recordMail } from '../mail/record-mail.ts'
import { unseal } from '../sessions/seal.ts'
import type { Tables } from '../tables.ts'
import { lockUser, type UserRow } from '../users/user-queries.ts'
import { tokenPurpose } from './link-identity.ts'
import { deleteIdentity, findIdentityOf, type IdentityRow } from './oauth-queries.ts'

/** Gives the grant back at the provider, then forgets the link. What nobody could sign in without stays. */
export async function disconnectProvider(
  deps: Deps,
  actor: UserActor,
  { accessToken }: DisconnectProvider,
): Promise<void> {
  const identity = await findIdentityOf(deps.db, actor.userId)
  if (identity === undefined) throw notConnected()
  if (accessToken !== undefined && (await deps.provider.subjectOf(accessToken)) !== identity.subject) {
    throw new AppError('oauth.foreign_token', 'This access token is not of the connected Google account.')
  }
  await deps.db.transaction().execute((trx) => lockWithOtherWay(trx, actor.userId))
  const { issuer, subject, sealed_token } = identity
  await deps.provider.revoke(unseal({ secret: deps.secret, purpose: tokenPurpose({ issuer, subject }) }, sealed_token))
  await deps.db.transaction().execute((trx) => unlink(trx, deps, actor, identity))
}

async function lockWithOtherWay(trx: Transaction<Tables>, userId: string): Promise<UserRow> {
  const user = await lockUser(trx, userId)
  if (user === undefined) throw notConnected()
  if (user.password_hash !== null) return user
  const message = 'Google is your only way to sign in. Set a password first: ask for one under "Forgot password?".'
  throw new AppError('oauth.last_sign_in', message)
}

async function unlink(trx: Transaction<Tables>, deps: Deps, actor: UserActor, identity: IdentityRow): Promise<void> {
  const user = await lockWithOtherWay(trx, actor.userId)
  if (!(await deleteIdentity(trx, actor.userId, identity))) throw notConnected()
  const event = newEvent(providerUnlinked, {
    id: deps.newId(),
    time: deps.now(),
    subject: actor.userId,
    account: actor.userId,
    actor,
    data: { user_id: actor.userId, provider: 'google' },
  })
  await recordEvent(trx, event)
  await recordMail(trx, deps, { userId: user.id, recipient: user.email, mail: { kind: 'provider-unlinked' } })
}

function notConnected(): AppError {
  return new AppError('oauth.not_connected', 'No Google account is connected.')
}
