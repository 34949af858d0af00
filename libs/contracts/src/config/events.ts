import { Type } from 'typebox'
import { Tier } from '../actor.ts'
import { defineEvent } from '../event.ts'

export const subscriptionChanged = defineEvent(
  'config',
  'config.subscription-changed.v1',
  Type.Object({ account_id: Type.String(), tier: Tier, version: Type.Integer() }),
)

export const tiersChanged = defineEvent('config', 'config.tiers-changed.v1', Type.Object({ version: Type.Integer() }))

export const configEvents = [subscriptionChanged, tiersChanged]
