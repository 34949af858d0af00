import type { Actor } from '@tapeline/contracts/actor'
import { newEvent } from '@tapeline/contracts/event'
import { userSignedIn } from '@tapeline/contracts/identity/events'
import { recordEvent } from '@tapeline/events/outbox'
import { AppError } from '@tapeline/service/app-error'
import type { Transaction } from 'kysely'
import type { Deps } from '../deps.ts'
import type { Tables } from '../tables.ts'
import { markSignedIn, type UserRow } from '../users/user-queries.ts'
import { startSession, type StartedSession } from './start-session.ts'

export type SignIn = { user: UserRow; session: StartedSession }

/**
 * Opens a session after a password or the provider has authenticated the user; inactive accounts are rejected.
 * @throws AppError account.inactive
 */
export async function recordSignIn(
  trx: Transaction<Tables>,
  deps: Pick<Deps, 'now' | 'newId' | 'settings'>,
  actor: Actor,
  { user, isRemembered }: { user: UserRow; isRemembered: boolean },
): Promise<SignIn> {
  if (user.status !== 'active') throw new AppError('account.inactive', 'This account is not active.')
  const at = deps.now()
  const session = await startSession(trx, deps, actor, { userId: user.id, isRemembered })
  await markSignedIn(trx, user.id, at)
  const event = newEvent(userSignedIn, {
    id: deps.newId(),
    time: at,
    subject: user.id,
    account: user.id,
    actor,
    data: { user_id: user.id, session_id: session.sessionId },
  })
  await recordEvent(trx, event)
  return { user: { ...user, last_login_at: at }, session }
}
