import { type Static, type TSchema, Type } from 'typebox'
import { Role, Tier } from '../actor.ts'
import { defineEvent } from '../event.ts'
import { ReminderMethod, UserStatus } from './http.ts'

export const userSignedUp = defineEvent(
  'identity',
  'identity.user-signed-up.v1',
  Type.Object({ user_id: Type.String(), role: Role, tier: Tier, version: Type.Integer() }),
)

export const userSignedIn = defineEvent(
  'identity',
  'identity.user-signed-in.v1',
  Type.Object({ user_id: Type.String(), session_id: Type.String() }),
)

const SessionEndReason = Type.Enum(['signed_out', 'refresh_reused', 'revoked', 'password_changed'] as const)
export type SessionEndReason = Static<typeof SessionEndReason>

export const sessionEnded = defineEvent(
  'identity',
  'identity.session-ended.v1',
  Type.Object({
    user_id: Type.String(),
    session_id: Type.String(),
    reason: SessionEndReason,
    version: Type.Integer(),
  }),
)

/** Every session of an account at once: tokens from before `not_before` are dead. */
export const sessionsEnded = defineEvent(
  'identity',
  'identity.sessions-ended.v1',
  changeOf(Type.Object({ not_before: Type.String() })),
)

export const roleChanged = defineEvent('identity', 'identity.role-changed.v1', changeOf(Type.Object({ role: Role })))

export const statusChanged = defineEvent(
  'identity',
  'identity.status-changed.v1',
  changeOf(Type.Object({ status: UserStatus })),
)

/** Fields that changed, and only those. */
const ProfileFields = Type.Partial(
  Type.Object({
    first_name: Type.String(),
    last_name: Type.String(),
    mobile: Type.String(),
    reminder_enabled: Type.Boolean(),
    reminder_time: Type.Integer(),
    reminder_method: ReminderMethod,
  }),
)
export const profileChanged = defineEvent(
  'identity',
  'identity.profile-changed.v1',
  Type.Object({ user_id: Type.String(), before: ProfileFields, after: ProfileFields }),
)

/** By the person who knew the old one, or through a link in a mail. */
export const passwordChanged = defineEvent(
  'identity',
  'identity.password-changed.v1',
  Type.Object({
    user_id: Type.String(),
    by: Type.Union([Type.Literal('change'), Type.Literal('reset')]),
    sessions_ended: Type.Integer(),
  }),
)

export const identityEvents = [
  userSignedUp,
  userSignedIn,
  sessionEnded,
  sessionsEnded,
  roleChanged,
  statusChanged,
  profileChanged,
  passwordChanged,
]

/** What of a user was, and what is. */
function changeOf<T extends TSchema>(state: T) {
  return Type.Object({ user_id: Type.String(), before: state, after: state, version: Type.Integer() })
}
