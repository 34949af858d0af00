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
import type { KnownKeys } from './known-keys.ts'
import type { TierDocuments } from './tier-documents.ts'

/** A key's kids share its version. */
type KeyChange = { kid: string; graced_kids?: string[]; version: number }

/** What is heard makes a compiled record too old to be used: the next request loads it anew. */
export function subscriptionsOf(known: KnownKeys, tiers: TierDocuments): EventHandler[] {
  const hearOfKids = ({ kid, graced_kids = [], version }: KeyChange) => {
    for (const each of [kid, ...graced_kids]) known.hearOfKey(each, version)
  }
  return [
    listener(userSignedUp, ({ user_id, version }) => known.hearOfUser(user_id, version)),
    listener(sessionEnded, ({ user_id, version }) => known.hearOfUser(user_id, version)),
    listener(sessionsEnded, ({ user_id, version }) => known.hearOfUser(user_id, version)),
    listener(roleChanged, ({ user_id, version }) => known.hearOfUser(user_id, version)),
    listener(statusChanged, ({ user_id, version }) => known.hearOfUser(user_id, version)),
    listener(subscriptionChanged, ({ account_id, version }) => known.hearOfSubscription(account_id, version)),
    listener(tiersChanged, ({ version }) => tiers.hear(version)),
    ...[apiKeyCreated, apiKeyUpdated, apiKeyRevoked, apiKeyDeleted].map((change) => listener(change, hearOfKids)),
    listener(apiKeyRegenerated, ({ replaced_kid, ...fact }) => hearOfKids({ ...fact, kid: replaced_kid })),
  ]
}

function listener<T extends TSchema>(definition: EventDefinition<T>, hear: (data: Static<T>) => void): EventHandler {
  // The listener is called only with data that was checked against the definition.
  return { definition, handle: (event: Event<unknown>) => hear(event.data as Static<T>) }
}
