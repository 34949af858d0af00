import type { Event } from '@tapeline/contracts/event'
import type { UserStatus } from '@tapeline/contracts/identity/http'
import type { Role } from '@tapeline/contracts/actor'
import { recordEvent } from '@tapeline/events/outbox'
import { EFFECTIVE_WITHIN_SECONDS } from '@tapeline/service/account-versions'
import { AppError } from '@tapeline/service/app-error'
import type { Transaction } from 'kysely'
import type { Deps } from '../deps.ts'
import type { Tables } from '../tables.ts'
import { userVersion } from './insert-account.ts'
import { lockActiveAdmins, lockUser, updateUser, type UserRow } from './user-queries.ts'

export type ChangedUser = {
  account_id: string
  role: Role
  status: UserStatus
  version: number
  effective_within_seconds?: number
}
export type UserChange = {
  accountId: string
  change: Partial<Pick<UserRow, 'role' | 'status'>>
  /** What is announced of it. */
  eventOf: (before: UserRow, after: UserRow) => Event<unknown>
}
type ChangeDeps = Pick<Deps, 'db' | 'raiseVersion'>

/** Changes a user for the next request on every gateway; what changes nothing is neither a version nor an event. */
export async function changeUser(deps: ChangeDeps, change: UserChange): Promise<ChangedUser> {
  const user = await deps.db.transaction().execute((trx) => save(trx, change))
  const isTold = await deps.raiseVersion(userVersion(user))
  return {
    account_id: user.id,
    role: user.role,
    status: user.status,
    version: user.version,
    ...(isTold ? {} : { effective_within_seconds: EFFECTIVE_WITHIN_SECONDS }),
  }
}

async function save(trx: Transaction<Tables>, { accountId, change, eventOf }: UserChange): Promise<UserRow> {
  // Locked first and together: of two admins who step down at once, the second finds that nobody else is left.
  const admins = await lockActiveAdmins(trx)
  const before = await lockUser(trx, accountId)
  if (before === undefined) throw new AppError('account.not_found', 'There is no such account.')
  const after = { ...before, ...change, version: before.version + 1 }
  if (after.role === before.role && after.status === before.status) return before
  const isAdminAfter = after.role === 'admin' && after.status === 'active'
  if (!isAdminAfter && admins.length === 1 && admins[0] === accountId) {
    throw new AppError('account.last_admin', 'This is the last active admin: make somebody else one first.')
  }
  await updateUser(trx, after)
  await recordEvent(trx, eventOf(before, after), userVersion(after))
  return after
}
