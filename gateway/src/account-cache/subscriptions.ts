import {
  apiKeyCreated,
  apiKeyDeleted,
  apiKeyRegenerated,
  apiKeyRevoked,
  apiKeyUpdated,
} from '@tapeline/contracts/api-key/events'
import { subscriptionChanged, tiersChanged } from '@tapeline/contracts/config/events'
import type { Event, EventDefinition } from '@tapeline/contracts/event'
import {
  roleChanged,
  sessionEnded,
  sessionsEnded,
  statusChanged,
  userSignedUp,
} from '@tapeline/contracts/identity/events'
import type { EventHandler } from '@tapeline/events/route-events'
import type { Static, TSchema } from 'typebox'
import type { AccountCache } from './account-cache.ts'
import type { TierDocuments } from './tier-documents.ts'

/** A key's kids share its version. */
type KeyChange = { kid: string; graced_kids?: string[]; version: number }

/** Each event invalidates a cached record: the next request loads it again. */
export function subscriptionsOf(cache: AccountCache, tiers: TierDocuments): EventHandler[] {
  const invalidateKids = ({ kid, graced_kids = [], version }: KeyChange) => {
    for (const each of [kid, ...graced_kids]) cache.invalidateKey(each, version)
  }
  return [
    handler(userSignedUp, ({ user_id, version }) => cache.invalidateUser(user_id, version)),
    handler(sessionEnded, ({ user_id, version }) => cache.invalidateUser(user_id, version)),
    handler(sessionsEnded, ({ user_id, version }) => cache.invalidateUser(user_id, version)),
    handler(roleChanged, ({ user_id, version }) => cache.invalidateUser(user_id, version)),
    handler(statusChanged, ({ user_id, version }) => cache.invalidateUser(user_id, version)),
    handler(subscriptionChanged, ({ account_id, version }) => cache.invalidateSubscription(account_id, version)),
    handler(tiersChanged, ({ version }) => tiers.invalidate(version)),
    ...[apiKeyCreated, apiKeyUpdated, apiKeyRevoked, apiKeyDeleted].map((change) => handler(change, invalidateKids)),
    handler(apiKeyRegenerated, ({ replaced_kid, ...fact }) => invalidateKids({ ...fact, kid: replaced_kid })),
  ]
}

function handler<T extends TSchema>(
  definition: EventDefinition<T>,
  invalidate: (data: Static<T>) => void,
): EventHandler {
  // The listener is called only with data that was checked against the definition.
  return { definition, handle: (event: Event<unknown>) => invalidate(event.data as Static<T>) }
}
