import { type Static, Type } from 'typebox'
import { Role, Tier } from '../actor.ts'
import { FlagView, UserConfigs } from '../config/http.ts'

/** Not blank; no control characters or line separators, because names appear in mails and logs. */
const ONE_LINE = '^(?=.*\\S)[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$'
export const Name = Type.String({ minLength: 1, maxLength: 80, pattern: ONE_LINE })
export const Email = Type.String({ format: 'email', maxLength: 254 })
const Mobile = Type.String({ minLength: 1, maxLength: 32, pattern: ONE_LINE })
/** More than 1,024 characters are rejected before hashing. The server also rejects common passwords. */
export const NewPassword = Type.String({ minLength: 8, maxLength: 1024 })
export const ReminderMethod = Type.Union([Type.Literal('email'), Type.Literal('push')])
export const ReminderHour = Type.Integer({ minimum: 0, maximum: 23 })

export const SignUp = Type.Object(
  {
    first_name: Name,
    last_name: Name,
    email: Email,
    password: NewPassword,
    mobile: Mobile,
    reminder_enabled: Type.Optional(Type.Boolean()),
    reminder_time: Type.Optional(ReminderHour),
    reminder_method: Type.Optional(ReminderMethod),
  },
  { additionalProperties: false },
)
export type SignUp = Static<typeof SignUp>

export const LogIn = Type.Object(
  {
    email: Type.String({ minLength: 1, maxLength: 254 }),
    password: Type.String({ minLength: 1, maxLength: 1024 }),
    /** Extends the idle timeout of the session from 12 hours to 30 days. */
    remember_me: Type.Optional(Type.Boolean()),
    /**
     * From an earlier sign-in with this browser: exempts it from the delay after wrong passwords from other devices.
     */
    deviceToken: Type.Optional(Type.String({ maxLength: 200 })),
  },
  { additionalProperties: false },
)
export type LogIn = Static<typeof LogIn>

export const Refresh = Type.Object(
  { refreshToken: Type.String({ minLength: 20, maxLength: 200 }) },
  { additionalProperties: false },
)
export type Refresh = Static<typeof Refresh>

export const USER_STATUSES = ['active', 'inactive'] as const
/** An inactive account is suspended: its keys and tokens are rejected until it is active again. */
export const UserStatus = Type.Union([Type.Literal('active'), Type.Literal('inactive')])
export type UserStatus = Static<typeof UserStatus>

/** The user as returned by the server. Times are RFC 3339. */
export const User = Type.Object({
  id: Type.String(),
  first_name: Type.String(),
  last_name: Type.String(),
  email: Type.String(),
  mobile: Type.String(),
  /** True when the role is admin; for display only, it grants nothing. */
  is_superuser: Type.Boolean(),
  status: Type.String(),
  email_verified: Type.Boolean(),
  subscription_tier: Tier,
  reminder_enabled: Type.Boolean(),
  reminder_time: Type.Integer(),
  reminder_method: ReminderMethod,
  last_login_at: Type.Union([Type.String(), Type.Null()]),
  created_at: Type.String(),
  profile_picture: Type.Union([Type.String(), Type.Null()]),
  role: Role,
  featureFlags: Type.Array(Type.String()),
})
export type User = Static<typeof User>

export const SignedIn = Type.Object({
  jwtToken: Type.String(),
  refreshToken: Type.String(),
  /** When the access token expires, milliseconds since 1970. */
  expiresAt: Type.Integer(),
  user: User,
  /** Stored after sign-out and sent with the next sign-in; grants no access by itself. */
  deviceToken: Type.String(),
})
export type SignedIn = Static<typeof SignedIn>

export const RefreshedTokens = Type.Object({
  jwtToken: Type.String(),
  refreshToken: Type.String(),
  expiresAt: Type.Integer(),
})
export type RefreshedTokens = Static<typeof RefreshedTokens>

export const UserDetails = Type.Object({
  user: User,
  role: Role,
  featureFlags: Type.Array(Type.String()),
  flags: Type.Array(FlagView),
  configs: UserConfigs,
  globalConfigs: Type.Record(Type.String(), Type.Unknown()),
  /** Available sign-in methods of this account. */
  signInMethods: Type.Object({ password: Type.Boolean(), google: Type.Boolean() }),
})
export type UserDetails = Static<typeof UserDetails>

/** `effective_within_seconds` is present when the write to Redis failed. */
export const SignedOut = Type.Object({ effective_within_seconds: Type.Optional(Type.Integer()) })
export type SignedOut = Static<typeof SignedOut>

/** What the gateway caches of a user: `GET /internal/accounts/{id}`. */
export const AccountRecord = Type.Object({
  account_id: Type.String(),
  version: Type.Integer(),
  role: Role,
  status: Type.String(),
  /** Access tokens issued earlier are invalid; seconds since 1970. */
  not_before: Type.Integer(),
  /** Sessions ended in the last 15 minutes. */
  ended_session_ids: Type.Array(Type.String()),
})
export type AccountRecord = Static<typeof AccountRecord>
