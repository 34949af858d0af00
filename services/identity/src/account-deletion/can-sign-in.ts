import type { UserRow } from '../users/user-queries.ts'

/** Whether the account can sign in: active, or awaiting deletion and still restorable by its owner. */
export function canSignIn(user: UserRow, now: Date): boolean {
  return user.status === 'active' || canReturn(user, now)
}

export function canReturn({ can_return, deletion_due_at }: UserRow, now: Date): boolean {
  return can_return && deletion_due_at !== null && deletion_due_at > now
}
