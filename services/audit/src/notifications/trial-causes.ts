import { planName } from '@tapeline/contracts/actor'
import type { trialEnded, trialEnding } from '@tapeline/contracts/config/events'
import type { Event, EventDefinition } from '@tapeline/contracts/event'
import type { Static } from 'typebox'
import type { NotificationCause } from './raise-notification.ts'

type Of<D> = D extends EventDefinition<infer T> ? Event<Static<T>> : never

export function trialEndingSoon({ id, data }: Of<typeof trialEnding>): NotificationCause {
  const { account_id: accountId, tier, ends_at, tier_after, days_left } = data
  return {
    accountId,
    about: { kind: 'trial_ending', data: { tier, ends_at, tier_after, days_left } },
    scope: `event/${id}`,
    level: 0,
    title: `Your trial of the ${planName(tier)} plan ends ${days_left === 1 ? 'in a day' : `in ${days_left} days`}`,
    text: `At ${ends_at} your account returns to the ${planName(tier_after)} plan. Nothing is charged.`,
  }
}

export function trialEndedCause({ id, data }: Of<typeof trialEnded>): NotificationCause {
  const { account_id: accountId, tier, ends_at, tier_after, because } = data
  return {
    accountId,
    about: { kind: 'trial_ended', data: { tier, ends_at, tier_after, because } },
    scope: `event/${id}`,
    level: 0,
    title: `Your trial of the ${planName(tier)} plan is over`,
    text: `Your account is now on the ${planName(tier_after)} plan.`,
  }
}
