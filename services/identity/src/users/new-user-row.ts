import { canonicalEmail } from '@tapeline/contracts/identity/canonical-email'
import type { NewUserRow } from './user-queries.ts'

const FIRST_VERSION = 1
const REMINDER_HOUR_DEFAULT = 9

export type PersonalData = { email: string; first_name: string; last_name: string; mobile: string }

/** The row of a new account: active, with the role user. */
export function newUserRow(
  profile: PersonalData,
  { id, now, passwordHash }: { id: string; now: Date; passwordHash: string | null },
): NewUserRow {
  return {
    id,
    email: profile.email,
    email_canonical: canonicalEmail(profile.email),
    email_verified: false,
    first_name: profile.first_name.trim(),
    last_name: profile.last_name.trim(),
    mobile: profile.mobile.trim(),
    password_hash: passwordHash,
    role: 'user',
    status: 'active',
    profile_picture: null,
    reminder_enabled: true,
    reminder_time: REMINDER_HOUR_DEFAULT,
    reminder_method: 'email',
    last_login_at: null,
    created_at: now,
    version: FIRST_VERSION,
    not_before: now,
  }
}
