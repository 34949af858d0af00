import type { UserRow } from '../users/user-queries.ts'

/** Whether the account can sign in: active, or awaiting deletion and still restorable by its owner. */
export function mayEnter(user: UserRow, now: Date): boolean {
  return user.status === 'active' || mayReturn(user, now)
}

export function mayReturn({ can_return, deletion_due_at }: UserRow, now: Date): boolean {
  return can_return && deletion_due_at !== null && deletion_due_at > now
}
