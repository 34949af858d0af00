import type { UserRow } from '../users/user-queries.ts'

/** An account that is active, or waits for its deletion and may still be taken back by its owner. */
export function mayEnter(user: UserRow, now: Date): boolean {
  return user.status === 'active' || mayReturn(user, now)
}

export function mayReturn({ can_return, deletion_due_at }: UserRow, now: Date): boolean {
  return can_return && deletion_due_at !== null && deletion_due_at > now
}
