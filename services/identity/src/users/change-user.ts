import type { Actor, Role } from '@tapeline/contracts/actor'
import { type Event, newEvent } from '@tapeline/contracts/event'
import {
  accountDeletionCancelled,
  accountReturnClosed,
  roleChanged,
  statusChanged,
} from '@tapeline/contracts/identity/events'
import type { UserStatus } from '@tapeline/contracts/identity/http'
import { recordEvent } from '@tapeline/events/outbox'
import { EFFECTIVE_WITHIN_SECONDS } from '@tapeline/service/account-versions'
import { AppError } from '@tapeline/service/app-error'
import type { Transaction } from 'kysely'
import type { Deps } from '../deps.ts'
import type { Tables } from '../tables.ts'
import { userVersion } from './insert-account.ts'
import { lockActiveAdmins, lockUser, updateUser, type UserRow } from './user-queries.ts'

export type UserChange = { userId: string; role?: Role; status?: UserStatus }
export type ChangedUser = { user: UserRow; effective_within_seconds?: number }
type ChangeDeps = Pick<Deps, 'db' | 'now' | 'newId' | 'raiseVersion'>

/**
 * Changes role or status, effective on the next request at every gateway: open sessions continue with the new role;
 * keys and tokens of an inactive account are rejected until it is active again. Without changes there is no version
 * and no event.
 */
export async function changeUser(deps: ChangeDeps, actor: Actor, change: UserChange): Promise<ChangedUser> {
  const user = await deps.db.transaction().execute((trx) => save(trx, deps, actor, change))
  const isPublished = await deps.raiseVersion(userVersion(user))
  return { user, ...(isPublished ? {} : { effective_within_seconds: EFFECTIVE_WITHIN_SECONDS }) }
}

async function save(
  trx: Transaction<Tables>,
  deps: ChangeDeps,
  actor: Actor,
  { userId, ...change }: UserChange,
): Promise<UserRow> {
  // Locked first and together: of two admins who step down concurrently, the second finds that it is the last.
  const admins = await lockActiveAdmins(trx)
  const before = await lockUser(trx, userId)
  if (before === undefined) throw new AppError('account.not_found', 'There is no such account.')
  const after = { ...before, ...change, ...deletionAfter(before, change), version: before.version + 1 }
  if (isTheSame(before, after)) return before
  const isAdminAfter = after.role === 'admin' && after.status === 'active'
  if (!isAdminAfter && admins.length === 1 && admins[0] === userId) {
    throw new AppError('account.last_admin', 'This is the last active admin. Make another user an admin first.')
  }
  await updateUser(trx, after)
  for (const event of eventsOf(deps, actor, { before, after })) await recordEvent(trx, event, userVersion(after))
  return after
}

/** Reactivation cancels a deletion; deactivation prevents the owner from restoring the account. */
function deletionAfter(before: UserRow, { status }: Omit<UserChange, 'userId'>) {
  const { deletion_due_at, can_return } = before
  if (status === undefined) return { deletion_due_at, can_return }
  return { deletion_due_at: status === 'active' ? null : deletion_due_at, can_return: false }
}

function isTheSame(one: UserRow, other: UserRow): boolean {
  return one.role === other.role && one.status === other.status && one.can_return === other.can_return
}

type Change = { before: UserRow; after: UserRow }

function eventsOf({ newId, now }: ChangeDeps, actor: Actor, { before, after }: Change): Event<unknown>[] {
  const { id, role, status, version, deletion_due_at: dueAt } = after
  const about = () => ({ id: newId(), time: now(), subject: id, account: id, actor })
  const data = { user_id: id, version }
  const events: Event<unknown>[] = []
  if (role !== before.role) {
    events.push(
      newEvent(roleChanged, { ...about(), data: { ...data, before: { role: before.role }, after: { role } } }),
    )
  }
  if (status !== before.status) {
    const statuses = { before: { status: before.status }, after: { status } }
    events.push(newEvent(statusChanged, { ...about(), data: { ...data, ...statuses } }))
  }
  if (before.deletion_due_at !== null && dueAt === null) {
    events.push(newEvent(accountDeletionCancelled, { ...about(), data: { user_id: id } }))
  } else if (before.can_return && !after.can_return && dueAt !== null) {
    events.push(newEvent(accountReturnClosed, { ...about(), data: { ...data, due_at: dueAt.toISOString() } }))
  }
  return events
}
