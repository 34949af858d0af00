import type { Role } from '@tapeline/contracts/actor'
import type { ExpiringKeys } from '@tapeline/contracts/api-key/expiring-keys'
import type { KeyList } from '@tapeline/contracts/api-key/http'
import type { AccountUsage } from '@tapeline/contracts/audit/account-usage'
import type { AccountProfile, SubscriptionRecord } from '@tapeline/contracts/config/http'
import type { EndpointRules } from '../push/check-endpoint.ts'
import type { VapidKeys } from '../push/vapid-keys.ts'

/** What it takes to tell people something. Whoever is asked and does not answer makes the call throw: it is tried again. */
export type NoticeDeps = {
  /** Signs pushes; a browser subscribes with the public one. */
  vapidKeys: () => Promise<VapidKeys>
  pushRules: EndpointRules
  /** What config knows of a person: settings, time zone, language. */
  askProfile: (accountId: string, role: Role) => Promise<AccountProfile>
  /** What an account did, from audit. */
  askUsage: (accountId: string, stretch: { from: Date; to: Date }) => Promise<AccountUsage>
  /** Which keys end soon, from api-key. */
  askExpiringKeys: (accountId: string, until: Date) => Promise<ExpiringKeys>
  /** All keys as their owner sees them, and the plan: for those who take their data along. */
  askKeys: (accountId: string) => Promise<KeyList>
  askSubscription: (accountId: string) => Promise<SubscriptionRecord>
}
