import type { UserActor } from '@tapeline/contracts/actor'
import type { DisconnectProvider } from '@tapeline/contracts/identity/oauth'
import { AppError } from '@tapeline/service/app-error'
import type { Transaction } from 'kysely'
import type { Deps } from '../deps.ts'
import type { Tables } from '../tables.ts'
import { lockUser, type UserRow } from '../users/user-queries.ts'
import { announceUnlinking } from './announce-unlinking.ts'
import { decryptToken } from '../grants/store-token.ts'
import { deleteIdentity, findIdentityOf, type IdentityRow } from './oauth-queries.ts'

/**
 * Revokes the grant at the provider, then deletes the link. The last sign-in method cannot be removed.
 * @throws AppError oauth.not_connected, oauth.foreign_token
 */
export async function disconnectProvider(
  deps: Deps,
  actor: UserActor,
  { accessToken }: DisconnectProvider,
): Promise<void> {
  const identity = await findIdentityOf(deps.db, actor.userId)
  if (identity === undefined) throw notConnected()
  if (accessToken !== undefined && (await deps.provider.subjectOf(accessToken)) !== identity.subject) {
    throw new AppError('oauth.foreign_token', 'This access token does not belong to the connected Google account.')
  }
  await deps.db.transaction().execute((trx) => lockWithOtherWay(trx, actor.userId))
  await deps.provider.revoke(decryptToken(deps, identity))
  await deps.db.transaction().execute((trx) => unlink(trx, deps, actor, identity))
}

async function lockWithOtherWay(trx: Transaction<Tables>, userId: string): Promise<UserRow> {
  const user = await lockUser(trx, userId)
  if (user === undefined) throw notConnected()
  if (user.password_hash !== null) return user
  const message = 'Google is your only way to sign in. Set a password first: request one under "Forgot password?".'
  throw new AppError('oauth.last_sign_in', message)
}

async function unlink(trx: Transaction<Tables>, deps: Deps, actor: UserActor, identity: IdentityRow): Promise<void> {
  const user = await lockWithOtherWay(trx, actor.userId)
  if (!(await deleteIdentity(trx, actor.userId, identity))) throw notConnected()
  await announceUnlinking(trx, deps, actor, user)
}

function notConnected(): AppError {
  return new AppError('oauth.not_connected', 'No Google account is connected.')
}
