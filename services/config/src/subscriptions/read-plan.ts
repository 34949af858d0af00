import { type Tier, TIERS, type UserActor } from '@tapeline/contracts/actor'
import { PAID_TIERS, type PaidTier, type Plan, type TrialOffer } from '@tapeline/contracts/config/plans'
import type { SubscriptionRecord } from '@tapeline/contracts/config/http'
import type { TierConfig } from '@tapeline/contracts/config/tiers'
import type { Deps } from '../deps.ts'
import { readTiers } from '../tiers/read-tiers.ts'
import { readSubscription } from './read-subscription.ts'
import { tierAt } from './tier-at.ts'
import { daysLeft } from './trial-notices.ts'
import { listTriedTiers } from './trial-queries.ts'

/** The caller's current plan. Trials end at their time, as on the gateways. */
export async function readPlan(deps: Pick<Deps, 'db' | 'now'>, { userId }: UserActor): Promise<Plan> {
  const [record, { tiers }, tried] = await Promise.all([
    readSubscription(deps, userId),
    readTiers(deps),
    listTriedTiers(deps.db, userId),
  ])
  const now = deps.now()
  const [tier, trial] = [tierAt(record, now), trialAt(record, now)]
  return {
    tier,
    name: tiers[tier].display.name,
    trial,
    trials: PAID_TIERS.map((paid) => offer(paid, tiers, { tier, trial, tried })),
    rate_limits: record.rate_limits ?? tiers[tier].rateLimits,
    has_own_limits: record.rate_limits !== null,
    features: tiers[tier].features,
    version: record.version,
  }
}

function trialAt(record: SubscriptionRecord, now: Date): Plan['trial'] {
  if (record.trial_ends_at === null) return null
  const endsAt = new Date(record.trial_ends_at)
  if (endsAt <= now) return null
  return {
    tier: record.tier,
    ends_at: record.trial_ends_at,
    days_left: daysLeft(endsAt, now),
    tier_after: record.tier_after_trial ?? 'free',
  }
}

type SubscriptionState = Pick<Plan, 'tier' | 'trial'> & { tried: readonly PaidTier[] }

function offer(paid: PaidTier, tiers: TierConfig, subscription: SubscriptionState): TrialOffer {
  const days = tiers[paid].billing.trialPeriod
  return { tier: paid, days, state: stateOf(paid, days, subscription) }
}

function stateOf(paid: PaidTier, days: number, { tier, trial, tried }: SubscriptionState): TrialOffer['state'] {
  if (trial?.tier === paid) return 'running'
  if (tried.includes(paid)) return 'used'
  if (days === 0) return 'not_offered'
  return rank(trial?.tier_after ?? tier) >= rank(paid) ? 'included' : 'available'
}

function rank(tier: Tier): number {
  return TIERS.indexOf(tier)
}
