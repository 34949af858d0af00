import type { Actor } from '@tapeline/contracts/actor'
import { subscriptionChanged } from '@tapeline/contracts/config/events'
import type { RateLimits, TierLimits } from '@tapeline/contracts/config/tiers'
import { newEvent } from '@tapeline/contracts/event'
import { recordEvent } from '@tapeline/events/outbox'
import { SUBSCRIPTION_VERSION_FIELD } from '@tapeline/service/account-versions'
import type { Transaction } from 'kysely'
import type { Deps } from '../deps.ts'
import { issueDueMonths } from '../invoices/issue-due-months.ts'
import { nextMonthStart } from '../invoices/next-month-start.ts'
import { tierToInvoice } from '../invoices/tier-to-invoice.ts'
import type { SubscriptionRow, Tables } from '../tables.ts'
import { updateSubscription } from './subscription-queries.ts'

export type SubscriptionChange = {
  /** The locked row. */
  before: SubscriptionRow
  fields: Partial<
    Pick<SubscriptionRow, 'tier' | 'rate_limits' | 'time_zone' | 'trial_ends_at' | 'tier_after_trial' | 'trial_notice'>
  >
  reason: string | null
}

/**
 * Stores the next version of a subscription with its event, in the caller's transaction. Months that have begun are
 * invoiced before, with the plan that they began with.
 */
export async function recordChange(
  deps: Pick<Deps, 'now' | 'newId'>,
  trx: Transaction<Tables>,
  actor: Actor,
  { before, fields, reason }: SubscriptionChange,
): Promise<SubscriptionRow> {
  const now = deps.now()
  const invoiced = await issueDueMonths(deps, trx, before, now)
  const changed = { ...invoiced, ...fields, version: before.version + 1, updated_at: now }
  const after = { ...changed, next_invoice_at: nextInvoice(changed, now) }
  await updateSubscription(trx, after)
  const { account_id: accountId, version } = after
  const event = newEvent(subscriptionChanged, {
    id: deps.newId(),
    time: now,
    subject: accountId,
    account: accountId,
    actor,
    data: { account_id: accountId, before: stateOf(before), after: stateOf(after), version, reason },
  })
  await recordEvent(trx, event, { accountId, field: SUBSCRIPTION_VERSION_FIELD, version })
  return after
}

/** A paid plan is invoiced from its next month on, unless the account is inactive. */
function nextInvoice(row: SubscriptionRow, now: Date): Date | null {
  if (row.invoices_held_at !== null || tierToInvoice(row) === 'free') return null
  return row.next_invoice_at ?? nextMonthStart(row.anchor, now)
}

function stateOf({ tier, rate_limits, time_zone, trial_ends_at, tier_after_trial }: SubscriptionRow) {
  return {
    tier,
    rate_limits: requestLimitsOf(rate_limits),
    time_zone,
    trial_ends_at: trial_ends_at?.toISOString() ?? null,
    tier_after_trial,
  }
}

/** Version 3 of the event has no limits of streams. */
function requestLimitsOf(limits: TierLimits | null): RateLimits | null {
  if (limits === null) return null
  const { streamConnections: _connections, streamMessagesPerSecond: _messages, ...requests } = limits
  return requests
}
