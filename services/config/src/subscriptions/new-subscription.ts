import type { SubscriptionRow } from '../tables.ts'

const VERSION_7 = /^([0-9a-f]{8})-([0-9a-f]{4})-7/i
const DEFAULT_TIME_ZONE = 'UTC'

/** The initial subscription of an account. */
export function newSubscription(accountId: string, now: Date): SubscriptionRow {
  return {
    account_id: accountId,
    tier: 'free',
    anchor: signUpTime(accountId, now),
    trial_ends_at: null,
    tier_after_trial: null,
    trial_notice: 0,
    next_invoice_at: null,
    invoices_held_at: null,
    rate_limits: null,
    time_zone: DEFAULT_TIME_ZONE,
    version: 1,
    created_at: now,
    updated_at: now,
  }
}

/** The first 48 bits of a UUIDv7 are milliseconds since 1970. For another kind of id the current time is used. */
function signUpTime(accountId: string, now: Date): Date {
  const [, high, low] = VERSION_7.exec(accountId) ?? []
  if (high === undefined || low === undefined) return now
  return new Date(Math.min(Number.parseInt(high + low, 16), now.getTime()))
}
