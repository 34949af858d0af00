import { canonicalEmail } from '@tapeline/contracts/identity/canonical-email'
import type { NewUserRow } from './user-queries.ts'

const FIRST_VERSION = 1
const REMINDER_HOUR_DEFAULT = 9

export type PersonalData = { email: string; first_name: string; last_name: string; mobile: string }

/** The row of a new account: active, with the role user. */
export function newUserRow(
  person: PersonalData,
  { id, now, passwordHash }: { id: string; now: Date; passwordHash: string | null },
): NewUserRow {
  return {
    id,
    email: person.email,
    email_canonical: canonicalEmail(person.email),
    email_verified: false,
    first_name: person.first_name.trim(),
    last_name: person.last_name.trim(),
    mobile: person.mobile.trim(),
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
