import type { SubscriptionRecord } from '@tapeline/contracts/config/http'
import type { SubscriptionRow } from '../tables.ts'

/** The part of a subscription that gateways cache. */
export function presentSubscription(row: SubscriptionRow): SubscriptionRecord {
  return {
    account_id: row.account_id,
    version: row.version,
    tier: row.tier,
    anchor: row.anchor.toISOString(),
    trial_ends_at: row.trial_ends_at?.toISOString() ?? null,
    tier_after_trial: row.tier_after_trial,
    rate_limits: row.rate_limits,
    time_zone: row.time_zone,
  }
}
