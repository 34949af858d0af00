import type { Tier } from '@tapeline/contracts/actor'
import type { User } from '@tapeline/contracts/identity/http'
import type { UserRow } from './user-queries.ts'

export type ConfigPart = { tier: Tier; featureFlags: string[] }

/** The user as the API contract specifies it. */
export function presentUser(row: UserRow, { tier, featureFlags }: ConfigPart): User {
  return {
    id: row.id,
    first_name: row.first_name,
    last_name: row.last_name,
    email: row.email,
    mobile: row.mobile,
    is_superuser: row.role === 'admin',
    status: row.status,
    email_verified: row.email_verified,
    subscription_tier: tier,
    reminder_enabled: row.reminder_enabled,
    reminder_time: row.reminder_time,
    reminder_method: row.reminder_method,
    last_login_at: row.last_login_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    profile_picture: row.profile_picture,
    role: row.role,
    featureFlags,
  }
}
