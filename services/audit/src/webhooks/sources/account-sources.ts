import {
  apiKeyCreated,
  apiKeyDeleted,
  apiKeyExpired,
  apiKeyExpiring,
  apiKeyLeaked,
  apiKeyRegenerated,
  apiKeyRevoked,
  apiKeyUpdated,
  apiKeyUsedFromNewNetwork,
} from '@tapeline/contracts/api-key/events'
import type { WebhookEventType } from '@tapeline/contracts/audit/webhooks'
import { subscriptionChanged, trialEnded, trialEnding, trialStarted } from '@tapeline/contracts/config/events'
import type { Event, EventDefinition } from '@tapeline/contracts/event'
import { accountDeleted, statusChanged, userSignedIn } from '@tapeline/contracts/identity/events'
import { on, type Subscription } from '@tapeline/events/subscription'
import type { Static, TSchema } from 'typebox'
import type { Tables } from '../../tables.ts'
import { deleteEndpointsOf, setOwnerActive, setTierOfEndpoints } from '../endpoints/endpoint-queries.ts'
import { enqueue, type EnqueueDeps } from './enqueue.ts'

/** Events of other services that become webhooks of the account that they concern. Each handler is idempotent. */
export function accountSources(deps: EnqueueDeps): Subscription<Tables>[] {
  const key = <T extends TSchema>(definition: EventDefinition<T>, type: WebhookEventType) =>
    source(deps, definition, type, (event) => keyData(event.data))
  const trial = <T extends TSchema>(definition: EventDefinition<T>, type: WebhookEventType) =>
    source(deps, definition, type, ({ data }) => ({ subject: 'trial', data: { ...recordOf(data) } }))
  return [
    key(apiKeyCreated, 'key.created'),
    key(apiKeyUpdated, 'key.updated'),
    key(apiKeyRegenerated, 'key.rotated'),
    key(apiKeyRevoked, 'key.revoked'),
    key(apiKeyDeleted, 'key.deleted'),
    key(apiKeyExpiring, 'key.expiring'),
    key(apiKeyExpired, 'key.expired'),
    key(apiKeyLeaked, 'key.leaked'),
    key(apiKeyUsedFromNewNetwork, 'key.used_from_new_network'),
    on(subscriptionChanged, async (trx, { data }) => setTierOfEndpoints(trx, data.account_id, data.after.tier)),
    source(deps, subscriptionChanged, 'plan.changed', ({ data }) => planData(data)),
    trial(trialStarted, 'plan.trial_started'),
    trial(trialEnding, 'plan.trial_ending'),
    trial(trialEnded, 'plan.trial_ended'),
    source(deps, userSignedIn, 'session.new_device', newDeviceData),
    on(statusChanged, (trx, { data }) => setOwnerActive(trx, data.user_id, data.after.status === 'active')),
    on(accountDeleted, (trx, { data }) => deleteEndpointsOf(trx, data.user_id)),
  ]
}

type Words = { subject: string; data: Record<string, unknown> }

/** `wordsOf` returns undefined for an event that becomes no message. */
function source<T extends TSchema>(
  deps: EnqueueDeps,
  definition: EventDefinition<T>,
  type: WebhookEventType,
  wordsOf: (event: Event<Static<T>>) => Words | undefined,
): Subscription<Tables> {
  return on(definition, async (trx, event) => {
    const words = wordsOf(event)
    if (words === undefined || event.account === null) return
    const { id: eventId, account: accountId, time } = event
    await enqueue(deps, trx, { eventId, accountId, type, occurredAt: new Date(time), ...words })
  })
}

/** Data of a key without the fields that only gateways use. */
function keyData(data: unknown): Words {
  const { version: _version, graced_kids: _kids, ...shown } = recordOf(data)
  const { name } = shown
  return { subject: typeof name === 'string' ? name : '', data: shown }
}

/** A sign-in from a known device is not a message. */
function newDeviceData({ data, network, time }: Event<Static<typeof userSignedIn.data>>): Words | undefined {
  const { user_id: account_id, session_id, device, is_new_device: isNew } = data
  return isNew ? { subject: device, data: { account_id, session_id, device, network, signed_in_at: time } } : undefined
}

type PlanChange = Static<typeof subscriptionChanged.data>

/** The time zone is a setting, not part of the plan. */
function planData({ account_id, before, after }: PlanChange): Words | undefined {
  const { time_zone: _before, ...from } = before
  const { time_zone: _after, ...to } = after
  if (JSON.stringify(from) === JSON.stringify(to)) return undefined
  return { subject: `${from.tier} → ${to.tier}`, data: { account_id, before: from, after: to } }
}

function recordOf(data: unknown): Record<string, unknown> {
  return typeof data === 'object' && data !== null ? { ...data } : {}
}
