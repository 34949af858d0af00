import {
  apiKeyCreated,
  apiKeyEvents,
  apiKeyExpired,
  apiKeyExpiring,
  apiKeyRevoked,
  apiKeyLeaked,
  apiKeyUsedFromNewNetwork,
  leakPolicyChanged,
} from '@tapeline/contracts/api-key/events'
import { webhookEvents } from '@tapeline/contracts/audit/events'
import { configEvents, settingsChanged, trialEnded, trialEnding } from '@tapeline/contracts/config/events'
import type { Event, EventDefinition } from '@tapeline/contracts/event'
import { accountDeleted, identityEvents } from '@tapeline/contracts/identity/events'
import { venueChanged } from '@tapeline/contracts/market-data/events'
import { usageRequestServed, usageStreamDelivered } from '@tapeline/contracts/usage/events'
import { on, onBatch, type Subscription } from '@tapeline/events/subscription'
import type { Static, TSchema } from 'typebox'
import { watchAlerts } from './alerts/watch-alerts.ts'
import { rescheduleReports } from './custom-reports/reschedule-reports.ts'
import type { Deps } from './deps.ts'
import { insertErasedAccount } from './erasure/erasure-queries.ts'
import {
  keyCreated,
  keyExpired,
  keyExpiring,
  keyLeaked,
  keyRevoked,
  keyUsedFromNewNetwork,
} from './notifications/key-causes.ts'
import { type NotificationCause, raiseNotification } from './notifications/raise-notification.ts'
import { trialEndedCause, trialEndingSoon } from './notifications/trial-causes.ts'
import { createQuotaWatch } from './notifications/watch-quotas.ts'
import { recordStreams } from './live-streams/record-streams.ts'
import { recordUsage } from './ingest/record-usage.ts'
import { storeKeyName } from './requests/store-key-name.ts'
import type { Tables } from './tables.ts'
import { accountSources } from './webhooks/sources/account-sources.ts'
import { enqueueThreshold } from './webhooks/sources/enqueue-threshold.ts'
import { marketSources } from './webhooks/sources/market-sources.ts'
import { createLimitWatch } from './webhooks/sources/watch-limits.ts'
import { recordInTrail, trailFault } from './trail/record-in-trail.ts'
import { requestFault, usageFault } from './ingest/usage-fault.ts'

export type ConsumerDeps = Pick<Deps, 'db' | 'now' | 'newId' | 'retention' | 'settings'> & Partial<Pick<Deps, 'store'>>

/** The usage topic: rows and roll-ups, then notifications and webhooks about limits; rows and sums of live streams. */
export function subscriptions(deps: ConsumerDeps): Subscription<Tables>[] {
  return [
    onBatch(
      usageRequestServed,
      (trx, events) => recordUsage(deps, trx, events),
      (event) => usageFault(event, deps) ?? requestFault(event),
    ),
    onBatch(
      usageRequestServed,
      createQuotaWatch(deps, (trx, cause) => enqueueThreshold(deps, trx, cause)),
    ),
    onBatch(usageRequestServed, createLimitWatch(deps)),
    onBatch(usageRequestServed, (trx, events) => watchAlerts(deps, trx, events)),
    onBatch(
      usageStreamDelivered,
      (trx, events) => recordStreams(deps, trx, events),
      (event) => usageFault(event, deps),
    ),
  ]
}

/** The topics of services: all events go to the trail; some also set key names, notifications and webhooks. */
export function domainSubscriptions(deps: Pick<Deps, 'now' | 'newId' | 'settings'>): Subscription<Tables>[] {
  const inTrail = [...identityEvents, ...apiKeyEvents, leakPolicyChanged, ...configEvents, ...webhookEvents]
  return [
    ...inTrail.map((definition: EventDefinition) => onBatch(definition, recordInTrail, trailFault)),
    ...apiKeyEvents.map((definition: EventDefinition) => on(definition, storeKeyName)),
    on(accountDeleted, (trx, { time, data }) => insertErasedAccount(trx, data.user_id, new Date(time))),
    on(settingsChanged, (trx, event) => rescheduleReports(deps, trx, event)),
    notify(deps, apiKeyCreated, keyCreated),
    notify(deps, apiKeyRevoked, keyRevoked),
    notify(deps, apiKeyLeaked, keyLeaked),
    notify(deps, apiKeyExpiring, keyExpiring),
    notify(deps, apiKeyExpired, keyExpired),
    notify(deps, apiKeyUsedFromNewNetwork, keyUsedFromNewNetwork),
    notify(deps, trialEnding, trialEndingSoon),
    notify(deps, trialEnded, trialEndedCause),
    ...accountSources(deps),
  ]
}

/** The topic of market-data, which is large: only what becomes webhooks, and changes by administrators for the trail. */
export function marketSubscriptions(deps: Pick<Deps, 'now' | 'settings'>): Subscription<Tables>[] {
  return [onBatch(venueChanged, recordInTrail, trailFault), ...marketSources(deps)]
}

function notify<T extends TSchema>(
  deps: Pick<Deps, 'now' | 'newId'>,
  definition: EventDefinition<T>,
  causeOf: (event: Event<Static<T>>) => NotificationCause,
): Subscription<Tables> {
  return on(definition, async (trx, event) => {
    await raiseNotification(deps, trx, causeOf(event))
  })
}
