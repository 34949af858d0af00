import { type Static, type TSchema, Type } from 'typebox'
import { Role, Tier } from '../actor.ts'
import { defineEvent } from '../event.ts'
import { ReminderMethod, UserStatus } from './http.ts'

export const userSignedUp = defineEvent(
  'identity',
  'identity.user-signed-up.v1',
  Type.Object({ user_id: Type.String(), role: Role, tier: Tier, version: Type.Integer() }),
)

/**
 * `is_new_device`: the account was used before, but neither from this browser nor, with the same browser and system,
 * from this network. `device` is a name such as `Firefox on Linux`.
 */
export const userSignedIn = defineEvent(
  'identity',
  'identity.user-signed-in.v2',
  Type.Object({
    user_id: Type.String(),
    session_id: Type.String(),
    device: Type.String(),
    is_new_device: Type.Boolean(),
  }),
)

/** No longer published; consumed until the remaining ones have expired from the topic. */
export const userSignedInV1 = defineEvent(
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

/** All sessions of an account ended: tokens issued before `not_before` are invalid. */
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

/** Only the fields that changed. */
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

/** Changed with the current password or through a mailed link. */
export const passwordChanged = defineEvent(
  'identity',
  'identity.password-changed.v1',
  Type.Object({
    user_id: Type.String(),
    by: Type.Union([Type.Literal('change'), Type.Literal('reset')]),
    sessions_ended: Type.Integer(),
  }),
)

/** A link mailed to the account's address was opened, or a password was set through one. */
export const emailVerified = defineEvent(
  'identity',
  'identity.email-verified.v1',
  Type.Object({ user_id: Type.String() }),
)

const Address = Type.Object({ email: Type.String() })
/** Confirmed by a link mailed to the new address, which also verifies it. */
export const emailChanged = defineEvent(
  'identity',
  'identity.email-changed.v1',
  Type.Object({ user_id: Type.String(), before: Address, after: Address }),
)

/**
 * The account can no longer sign in and its keys are revoked. It is deleted at `due_at` unless its owner signs in
 * before.
 */
export const accountDeletionRequested = defineEvent(
  'identity',
  'identity.account-deletion-requested.v1',
  Type.Object({ user_id: Type.String(), due_at: Type.String() }),
)

export const accountDeletionCancelled = defineEvent(
  'identity',
  'identity.account-deletion-cancelled.v1',
  Type.Object({ user_id: Type.String() }),
)

/** An operator deactivated an account that awaits deletion: signing in no longer restores it. */
export const accountReturnClosed = defineEvent(
  'identity',
  'identity.account-return-closed.v1',
  Type.Object({ user_id: Type.String(), due_at: Type.String(), version: Type.Integer() }),
)

/** An operator removed the delay after wrong passwords. */
export const accountUnlocked = defineEvent(
  'identity',
  'identity.account-unlocked.v1',
  Type.Object({ user_id: Type.String() }),
)

/** A browser became a known device through a mailed link; wrong passwords from other devices no longer delay it. */
export const deviceTrusted = defineEvent(
  'identity',
  'identity.device-trusted.v1',
  Type.Object({ user_id: Type.String() }),
)

const DeviceLoginFact = Type.Object({
  user_id: Type.String(),
  client_name: Type.String(),
  /** Network of the program, /24 or /48. */
  client_network: Type.Union([Type.String(), Type.Null()]),
})
/** The owner approved the sign-in of a program without a browser, which signs in next. */
export const deviceLoginApproved = defineEvent('identity', 'identity.device-login-approved.v1', DeviceLoginFact)
export const deviceLoginDenied = defineEvent('identity', 'identity.device-login-denied.v1', DeviceLoginFact)

/** An operator created a link that sets a new password. */
export const resetLinkMade = defineEvent(
  'identity',
  'identity.reset-link-made.v1',
  Type.Object({ user_id: Type.String(), expires_at: Type.String() }),
)

/** The account's personal data is deleted. Consumers delete theirs. */
export const accountDeleted = defineEvent(
  'identity',
  'identity.account-deleted.v1',
  Type.Object({ user_id: Type.String(), version: Type.Integer() }),
)

const ExportFact = Type.Object({ user_id: Type.String(), export_id: Type.String() })
export const accountExportRequested = defineEvent('identity', 'identity.account-export-requested.v1', ExportFact)
/** An export was opened by its signed-in owner, or with the mailed link. */
export const accountExportOpened = defineEvent(
  'identity',
  'identity.account-export-opened.v1',
  Type.Object({ ...ExportFact.properties, by: Type.Union([Type.Literal('session'), Type.Literal('link')]) }),
)

const Provider = Type.Literal('google')

/** A provider's account can now sign in to this one. */
export const providerLinked = defineEvent(
  'identity',
  'identity.provider-linked.v1',
  Type.Object({
    user_id: Type.String(),
    provider: Provider,
    by: Type.Enum(['sign_up', 'verified_email', 'password', 'session'] as const),
  }),
)

export const providerUnlinked = defineEvent(
  'identity',
  'identity.provider-unlinked.v1',
  Type.Object({ user_id: Type.String(), provider: Provider }),
)

/** A browser subscribed to push messages. */
export const pushSubscribed = defineEvent(
  'identity',
  'identity.push-subscribed.v1',
  Type.Object({ user_id: Type.String(), subscription_id: Type.String(), session_id: Type.String() }),
)

/** By the user, or because the push service no longer accepts the subscription. */
export const pushUnsubscribed = defineEvent(
  'identity',
  'identity.push-unsubscribed.v1',
  Type.Object({
    user_id: Type.String(),
    subscription_id: Type.String(),
    reason: Type.Enum(['unsubscribed', 'gone'] as const),
  }),
)

export const identityEvents = [
  userSignedUp,
  userSignedIn,
  userSignedInV1,
  sessionEnded,
  sessionsEnded,
  roleChanged,
  statusChanged,
  profileChanged,
  passwordChanged,
  emailVerified,
  emailChanged,
  accountDeletionRequested,
  accountDeletionCancelled,
  accountReturnClosed,
  accountUnlocked,
  deviceTrusted,
  deviceLoginApproved,
  deviceLoginDenied,
  resetLinkMade,
  accountDeleted,
  accountExportRequested,
  accountExportOpened,
  providerLinked,
  providerUnlinked,
  pushSubscribed,
  pushUnsubscribed,
]

/** State of a user before and after a change. */
function changeOf<T extends TSchema>(state: T) {
  return Type.Object({ user_id: Type.String(), before: state, after: state, version: Type.Integer() })
}
