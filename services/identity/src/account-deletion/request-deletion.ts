import type { UserActor } from '@tapeline/contracts/actor'
import { newEvent } from '@tapeline/contracts/event'
import type { RequestDeletion, RequestedDeletion } from '@tapeline/contracts/identity/account-deletion'
import { accountDeletionRequested, statusChanged } from '@tapeline/contracts/identity/events'
import { recordEvent } from '@tapeline/events/outbox'
import { EFFECTIVE_WITHIN_SECONDS } from '@tapeline/service/account-versions'
import { AppError } from '@tapeline/service/app-error'
import type { Transaction } from 'kysely'
import type { Deps } from '../deps.ts'
import { deleteEmailLinksOf } from '../email/email-link-queries.ts'
import { recordMail } from '../mail/record-mail.ts'
import { cancelReset } from '../passwords/cancel-reset.ts'
import { checkCurrentPassword, wrongPassword } from '../passwords/check-current-password.ts'
import { endOpenSessions } from '../sessions/session-queries.ts'
import type { Tables } from '../tables.ts'
import { userVersion } from '../users/insert-account.ts'
import { lockActiveAdmins, lockUser, updateUser, type UserRow } from '../users/user-queries.ts'

/**
 * Closes the account from the next request on; api-key revokes its keys on this event. The account's data is deleted
 * after the grace period unless its owner signs in before.
 */
export async function requestDeletion(
  deps: Deps,
  actor: UserActor,
  { currentPassword }: RequestDeletion,
): Promise<RequestedDeletion> {
  const verified = await checkCurrentPassword(deps, actor, currentPassword)
  const dueAt = new Date(deps.now().getTime() + deps.deletionGraceMs)
  const user = await deps.db.transaction().execute(async (trx) => {
    const { before, after } = await stop(trx, deps, verified, dueAt)
    await announce(trx, deps, actor, { before, after, dueAt })
    return after
  })
  const isPublished = await deps.raiseVersion(userVersion(user))
  return {
    due_at: dueAt.toISOString(),
    ...(isPublished ? {} : { effective_within_seconds: EFFECTIVE_WITHIN_SECONDS }),
  }
}

type Stop = { before: UserRow; after: UserRow }

/** Locks sessions before users, and all admins together, in the order used everywhere. */
async function stop(trx: Transaction<Tables>, { now }: Deps, verified: UserRow, dueAt: Date): Promise<Stop> {
  const { id } = verified
  await endOpenSessions(trx, id, { at: now(), reason: 'revoked' })
  const admins = await lockActiveAdmins(trx)
  const before = await lockUser(trx, id)
  if (before?.status !== 'active' || before.password_hash !== verified.password_hash) throw wrongPassword()
  if (admins.length === 1 && admins[0] === id) {
    throw new AppError('account.last_admin', 'This is the last active admin. Make another user an admin first.')
  }
  const pending = { status: 'inactive' as const, deletion_due_at: dueAt, can_return: true }
  const after = { ...before, ...pending, not_before: now(), version: before.version + 1 }
  await updateUser(trx, after)
  await cancelReset(trx, before)
  await deleteEmailLinksOf(trx, id)
  return { before, after }
}

async function announce(
  trx: Transaction<Tables>,
  deps: Deps,
  actor: UserActor,
  { before, after, dueAt }: Stop & { dueAt: Date },
): Promise<void> {
  const { id, email, version } = after
  const about = () => ({ id: deps.newId(), time: deps.now(), subject: id, account: id, actor })
  const due_at = dueAt.toISOString()
  const statuses = { before: { status: before.status }, after: { status: after.status } }
  await recordEvent(trx, newEvent(accountDeletionRequested, { ...about(), data: { user_id: id, due_at } }))
  const stopped = newEvent(statusChanged, { ...about(), data: { user_id: id, ...statuses, version } })
  await recordEvent(trx, stopped, userVersion(after))
  await recordMail(trx, deps, { userId: id, recipient: email, mail: { kind: 'deletion-requested', due_at } })
}
