import type { Tier } from '@tapeline/contracts/actor'
import type { SubscriptionRow } from '../tables.ts'

/** A trial is free: the plan to which the account returns is invoiced. */
export function tierToInvoice({ tier, trial_ends_at, tier_after_trial }: SubscriptionRow): Tier {
  return trial_ends_at === null ? tier : (tier_after_trial ?? 'free')
}
