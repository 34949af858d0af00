import type { ErrorCode } from '@tapeline/contracts/error-code'

/** `id` is the operation's name in the OpenAPI document and its anchor in the reference: it never changes. */
export type Operation = {
  id: string
  group: OperationGroup
  summary: string
  /** Failures specific to this call, in addition to those of credential, limits and body. */
  errors: readonly ErrorCode[]
}
export type OperationGroup =
  | 'market-data'
  | 'limits'
  | 'keys'
  | 'usage'
  | 'requests'
  | 'sign-in'
  | 'account'
  | 'google'
  | 'plan'
  | 'settings'
  | 'notifications'
  | 'webhooks'
  | 'admin-flags'
  | 'admin-configs'
  | 'admin-tiers'
  | 'admin-users'
  | 'admin-venues'

/** What the calls of a group are for, in the order of the reference. */
export const groupDescriptions: Record<OperationGroup, string> = {
  'market-data': 'Trades, order-book events, bars, files and instruments. With an API key; each request counts.',
  limits: 'Limits with their remaining requests, and the state of the platform.',
  keys: 'API keys: create, change, rotate, revoke, and read their usage.',
  usage: 'The numbers of the dashboard: requests, errors and latency by key, route and time.',
  requests: 'Single requests with their decisions, and the audit trail.',
  'sign-in': 'Accounts, sessions, passwords and devices.',
  account: 'The profile, its export and its deletion.',
  google: 'Sign-in with Google.',
  plan: 'Prices, the subscription and its trial.',
  settings: 'Settings and feature flags of the account.',
  notifications: 'Notifications, live events of the dashboard, and push subscriptions.',
  webhooks: 'Events of the account, sent to your own servers as signed requests.',
  'admin-flags': 'Feature flags, for administrators.',
  'admin-configs': 'Configuration of the platform, for administrators.',
  'admin-tiers': 'Tiers and their limits, for administrators.',
  'admin-users': 'Accounts and subscriptions, for administrators.',
  'admin-venues': 'Connections to venues, for administrators.',
}

/** Method and path are in the route table, under the same id. */
export type Call = [id: string, summary: string, ...errors: ErrorCode[]]
export const WALKS: ErrorCode[] = ['cursor.invalid', 'cursor.filter_mismatch']

/** Sections of the reference. */
export const tagGroups: readonly { name: string; tags: readonly OperationGroup[] }[] = [
  { name: 'Market data', tags: ['market-data', 'limits'] },
  { name: 'Keys and usage', tags: ['keys', 'usage', 'requests'] },
  { name: 'Account', tags: ['sign-in', 'account', 'google', 'plan', 'settings', 'notifications', 'webhooks'] },
  { name: 'Administration', tags: ['admin-flags', 'admin-configs', 'admin-tiers', 'admin-users', 'admin-venues'] },
]
