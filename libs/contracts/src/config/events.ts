import { Type } from 'typebox'
import { Tier } from '../actor.ts'
import { defineEvent } from '../event.ts'
import { RateLimits } from './tiers.ts'

const Subscription = Type.Object({ tier: Tier, rate_limits: Type.Union([RateLimits, Type.Null()]) })

export const subscriptionChanged = defineEvent(
  'config',
  'config.subscription-changed.v2',
  Type.Object({ account_id: Type.String(), before: Subscription, after: Subscription, version: Type.Integer() }),
)

export const tiersChanged = defineEvent('config', 'config.tiers-changed.v1', Type.Object({ version: Type.Integer() }))

export const configEvents = [subscriptionChanged, tiersChanged]
