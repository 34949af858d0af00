import type { Role, Tier } from '@tapeline/contracts/actor'
import type { User, UserDetails } from '@tapeline/contracts/identity/http'

/** The user as the client keeps it. Without a role until the details were fetched. */
export type ClientUser = {
  id: string
  firstName: string
  lastName: string
  email: string
  mobile: string
  status: string
  emailVerified: boolean
  subscriptionTier: Tier
  reminderEnabled: boolean
  reminderTime: number
  reminderMethod: 'email' | 'push'
  lastLoginAt: string | null
  createdAt: string | null
  isSuperuser: boolean
  role: Role | undefined
  featureFlags: string[]
  profile_picture: string | null
}

export function presentUser(user: User): ClientUser {
  return {
    id: user.id,
    firstName: user.first_name,
    lastName: user.last_name,
    email: user.email,
    mobile: user.mobile,
    status: user.status,
    emailVerified: user.email_verified,
    subscriptionTier: user.subscription_tier,
    reminderEnabled: user.reminder_enabled,
    reminderTime: user.reminder_time,
    reminderMethod: user.reminder_method,
    lastLoginAt: user.last_login_at,
    createdAt: user.created_at,
    isSuperuser: user.is_superuser,
    role: user.role,
    featureFlags: user.featureFlags,
    profile_picture: user.profile_picture,
  }
}

/** The user of a sign-in response: role and flags come only from the details. */
export function presentBasicUser(user: User): ClientUser {
  return { ...presentUser(user), role: undefined, featureFlags: [] }
}

/** The user with the role and the flags that were joined in. */
export function presentDetails(details: UserDetails): ClientUser {
  return { ...presentUser(details.user), role: details.role, featureFlags: details.featureFlags }
}

/** The stored user of an earlier visit; undefined if invalid. Missing fields get the specified defaults. */
export function parseStoredUser(json: string | null): ClientUser | undefined {
  const stored = parse(json)
  if (stored === undefined || typeof stored['id'] !== 'string' || typeof stored['email'] !== 'string') return undefined
  const text = (field: string, fallback: string): string => {
    const value = stored[field]
    return typeof value === 'string' ? value : fallback
  }
  const textOrNull = (field: string): string | null => text(field, '') || null
  return {
    id: stored['id'],
    email: stored['email'],
    firstName: text('firstName', ''),
    lastName: text('lastName', ''),
    mobile: text('mobile', ''),
    status: text('status', 'active'),
    emailVerified: stored['emailVerified'] === true,
    subscriptionTier: oneOf(stored['subscriptionTier'], ['free', 'basic', 'pro']) ?? 'free',
    reminderEnabled: stored['reminderEnabled'] === true,
    reminderTime: typeof stored['reminderTime'] === 'number' ? stored['reminderTime'] : 9,
    reminderMethod: oneOf(stored['reminderMethod'], ['email', 'push']) ?? 'email',
    lastLoginAt: textOrNull('lastLoginAt'),
    createdAt: textOrNull('createdAt'),
    isSuperuser: stored['isSuperuser'] === true,
    role: oneOf(stored['role'], ['user', 'tester', 'admin']),
    featureFlags: Array.isArray(stored['featureFlags'])
      ? stored['featureFlags'].filter((flag): flag is string => typeof flag === 'string')
      : [],
    profile_picture: textOrNull('profile_picture'),
  }
}

function oneOf<const T extends string>(value: unknown, allowed: readonly T[]): T | undefined {
  return allowed.find((option) => option === value)
}

function parse(json: string | null): Record<string, unknown> | undefined {
  if (json === null) return undefined
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    return undefined
  }
}
