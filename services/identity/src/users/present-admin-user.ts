import type { AdminUser } from '@tapeline/contracts/identity/admin'
import type { UserRow } from './user-queries.ts'

/** A user as admins see it, without password and provider grants. */
export function presentAdminUser(row: UserRow): AdminUser {
  const { id, email, first_name, last_name, role, status, email_verified } = row
  return {
    id,
    email,
    first_name,
    last_name,
    role,
    status,
    email_verified,
    created_at: row.created_at.toISOString(),
    last_login_at: row.last_login_at?.toISOString() ?? null,
  }
}
