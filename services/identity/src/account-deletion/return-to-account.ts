import type { Actor } from '@tapeline/contracts/actor'
import { newEvent } from '@tapeline/contracts/event'
import { accountDeletionCancelled, statusChanged } from '@tapeline/contracts/identity/events'
import { recordEvent } from '@tapeline/events/outbox'
import type { Transaction } from 'kysely'
import type { Deps } from '../deps.ts'
import { recordMail } from '../mail/record-mail.ts'
import type { Tables } from '../tables.ts'
import { userVersion } from '../users/insert-account.ts'
import { lockUser, updateUser, type UserRow } from '../users/user-queries.ts'
import { canReturn } from './can-sign-in.ts'

/**
 * Restores an account whose owner signs in within the grace period; its keys stay revoked. Undefined when it is too
 * late.
 */
export async function returnToAccount(
  trx: Transaction<Tables>,
  deps: Pick<Deps, 'now' | 'newId' | 'secret'>,
  actor: Actor,
  userId: string,
): Promise<UserRow | undefined> {
  const before = await lockUser(trx, userId)
  if (before === undefined || before.status === 'active') return before
  if (!canReturn(before, deps.now())) return undefined
  const restored = { status: 'active' as const, deletion_due_at: null, can_return: false }
  const after = { ...before, ...restored, version: before.version + 1 }
  await updateUser(trx, after)
  const { id, version } = after
  const about = () => ({ id: deps.newId(), time: deps.now(), subject: id, account: id, actor })
  const statuses = { before: { status: before.status }, after: { status: after.status } }
  await recordEvent(trx, newEvent(accountDeletionCancelled, { ...about(), data: { user_id: id } }))
  const statusEvent = newEvent(statusChanged, { ...about(), data: { user_id: id, ...statuses, version } })
  await recordEvent(trx, statusEvent, userVersion(after))
  await recordMail(trx, deps, { userId: id, recipient: after.email, mail: { kind: 'deletion-cancelled' } })
  return after
}
