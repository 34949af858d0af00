import type { Tier } from '@tapeline/contracts/actor'
import type { SubscriptionRecord } from '@tapeline/contracts/config/http'

/** The effective tier at a time, as on the gateways: a trial ends at its time, whether or not that is recorded yet. */
export function tierAt({ tier, trial_ends_at, tier_after_trial }: SubscriptionRecord, now: Date): Tier {
  const hasTrialEnded = trial_ends_at !== null && Date.parse(trial_ends_at) <= now.getTime()
  return hasTrialEnded ? (tier_after_trial ?? 'free') : tier
}
