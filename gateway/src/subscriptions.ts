import { apiKeyCreated, apiKeyDeleted, apiKeyRegenerated, apiKeyRevoked } from '@tapeline/contracts/api-key/events'
import { subscriptionChanged, tiersChanged } from '@tapeline/contracts/config/events'
import type { Event, EventDefinition } from '@tapeline/contracts/event'
import { roleChanged, sessionEnded, sessionsEnded, statusChanged, userSignedUp } from '@tapeline/contracts/identity/events'
import type { Listener } from '@tapeline/events/listen'
import type { Static, TSchema } from 'typebox'
import type { KnownKeys } from './known-keys.ts'
import type { TierDocuments } from './tier-documents.ts'

/** What is heard makes a compiled record too old to be used: the next request loads it anew. */
export function subscriptionsOf(known: KnownKeys, tiers: TierDocuments): Listener[] {
  return [
    listener(userSignedUp, ({ user_id, version }) => known.hearOfUser(user_id, version)),
    listener(sessionEnded, ({ user_id, version }) => known.hearOfUser(user_id, version)),
    listener(sessionsEnded, ({ user_id, version }) => known.hearOfUser(user_id, version)),
    listener(roleChanged, ({ user_id, version }) => known.hearOfUser(user_id, version)),
    listener(statusChanged, ({ user_id, version }) => known.hearOfUser(user_id, version)),
    listener(subscriptionChanged, ({ account_id, version }) => known.hearOfSubscription(account_id, version)),
    listener(tiersChanged, () => void tiers.refresh()),
    listener(apiKeyCreated, ({ kid, version }) => known.hearOfKey(kid, version)),
    listener(apiKeyRevoked, ({ kid, version }) => known.hearOfKey(kid, version)),
    listener(apiKeyDeleted, ({ kid, version }) => known.hearOfKey(kid, version)),
    listener(apiKeyRegenerated, ({ replaced_kid, version }) => known.hearOfKey(replaced_kid, version)),
  ]
}

function listener<T extends TSchema>(definition: EventDefinition<T>, hear: (data: Static<T>) => void): Listener {
  // The listener is called only with data that was checked against the definition.
  return { definition, hear: (event: Event<unknown>) => hear(event.data as Static<T>) }
}
