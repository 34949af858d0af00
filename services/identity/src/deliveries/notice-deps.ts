import type { Role } from '@tapeline/contracts/actor'
import type { ExpiringKeys } from '@tapeline/contracts/api-key/expiring-keys'
import type { KeyList } from '@tapeline/contracts/api-key/http'
import type { AccountUsage } from '@tapeline/contracts/audit/account-usage'
import type { AccountProfile, SubscriptionRecord } from '@tapeline/contracts/config/http'
import type { EndpointRules } from '@tapeline/service/outbound/check-endpoint'
import type { VapidKeys } from '../push/vapid-keys.ts'

/** Dependencies for notifying users. The calls throw when a service does not respond, and the delivery is retried. */
export type NoticeDeps = {
  /** Keys that sign pushes; browsers subscribe with the public one. */
  vapidKeys: () => Promise<VapidKeys>
  pushRules: EndpointRules
  /** The profile from config: settings, time zone, language. */
  fetchProfile: (accountId: string, role: Role) => Promise<AccountProfile>
  /** An account's usage, from audit. */
  fetchUsage: (accountId: string, stretch: { from: Date; to: Date }) => Promise<AccountUsage>
  /** Keys that expire soon, from api-key. */
  fetchExpiringKeys: (accountId: string, until: Date) => Promise<ExpiringKeys>
  /** All keys as their owner sees them, and the plan: for the account export. */
  fetchKeys: (accountId: string) => Promise<KeyList>
  fetchSubscription: (accountId: string) => Promise<SubscriptionRecord>
}
