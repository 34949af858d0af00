import {
  apiKeyCreated,
  apiKeyEvents,
  apiKeyExpired,
  apiKeyExpiring,
  apiKeyRevoked,
  apiKeyUsedFromNewNetwork,
} from '@tapeline/contracts/api-key/events'
import { configEvents, trialEnded, trialEnding } from '@tapeline/contracts/config/events'
import type { Event, EventDefinition } from '@tapeline/contracts/event'
import { accountDeleted, identityEvents } from '@tapeline/contracts/identity/events'
import { usageRequestServed } from '@tapeline/contracts/usage/events'
import { on, onBatch, type Subscription } from '@tapeline/events/subscription'
import type { Static, TSchema } from 'typebox'
import type { Deps } from './deps.ts'
import { insertErasedAccount } from './erasure/erasure-queries.ts'
import {
  keyCreated,
  keyExpired,
  keyExpiring,
  keyRevoked,
  keyUsedFromNewNetwork,
} from './notifications/key-occasions.ts'
import { type Occasion, raiseNotification } from './notifications/raise-notification.ts'
import { trialEndingSoon, trialOver } from './notifications/trial-occasions.ts'
import { createQuotaWatch } from './notifications/watch-quotas.ts'
import { recordUsage } from './ingest/record-usage.ts'
import { rememberKeyNameOf } from './requests/remember-key-name.ts'
import type { Tables } from './tables.ts'
import { recordInTrail, trailFault } from './trail/record-in-trail.ts'
import { usageFault } from './ingest/usage-fault.ts'

/** The usage topic: rows and roll-ups, then notifications about limits. */
export function subscriptions(deps: Pick<Deps, 'db' | 'now' | 'newId' | 'retention'>): Subscription<Tables>[] {
  return [
    onBatch(
      usageRequestServed,
      (trx, events) => recordUsage(deps, trx, events),
      (event) => usageFault(event, deps),
    ),
    onBatch(usageRequestServed, createQuotaWatch(deps)),
  ]
}

/** The topics of the other services: all events go to the trail; some also set key names and raise notifications. */
export function domainSubscriptions(deps: Pick<Deps, 'now' | 'newId'>): Subscription<Tables>[] {
  const inTrail = [...identityEvents, ...apiKeyEvents, ...configEvents]
  return [
    ...inTrail.map((definition: EventDefinition) => onBatch(definition, recordInTrail, trailFault)),
    ...apiKeyEvents.map((definition: EventDefinition) => on(definition, rememberKeyNameOf)),
    on(accountDeleted, (trx, { time, data }) => insertErasedAccount(trx, data.user_id, new Date(time))),
    notify(deps, apiKeyCreated, keyCreated),
    notify(deps, apiKeyRevoked, keyRevoked),
    notify(deps, apiKeyExpiring, keyExpiring),
    notify(deps, apiKeyExpired, keyExpired),
    notify(deps, apiKeyUsedFromNewNetwork, keyUsedFromNewNetwork),
    notify(deps, trialEnding, trialEndingSoon),
    notify(deps, trialEnded, trialOver),
  ]
}

function notify<T extends TSchema>(
  deps: Pick<Deps, 'now' | 'newId'>,
  definition: EventDefinition<T>,
  occasionOf: (event: Event<Static<T>>) => Occasion,
): Subscription<Tables> {
  return on(definition, async (trx, event) => {
    await raiseNotification(deps, trx, occasionOf(event))
  })
}
