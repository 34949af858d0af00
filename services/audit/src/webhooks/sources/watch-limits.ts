import { createHash } from 'node:crypto'
import type { Event } from '@tapeline/contracts/event'
import type { Policy, UsageRequestServed } from '@tapeline/contracts/usage/events'
import type { Transaction } from 'kysely'
import type { Tables } from '../../tables.ts'
import { listSubscribers, type WebhookMessage } from '../deliveries/delivery-queries.ts'
import { enqueue, type EnqueueDeps } from './enqueue.ts'

type UsageEvent = Event<UsageRequestServed>
type Denial = { event: UsageEvent; policy: Policy; isOfKey: boolean }

/** An endpoint gets one message per limit in this time, for the first denied request. */
export const DEBOUNCE_MS = 600_000
const TYPE = 'limit.reached'

/**
 * Queues `limit.reached` when a limit of an account or key denies a request, once per limit and ten minutes.
 * Idempotent: the id of the message is derived from the account, the limit and the time.
 */
export function createLimitWatch(deps: EnqueueDeps) {
  return async (trx: Transaction<Tables>, events: readonly UsageEvent[]): Promise<void> => {
    const denials = events.flatMap(denialsOf)
    if (denials.length === 0) return
    const accounts = [...new Set(denials.map(({ event }) => event.data.account_id))]
    const subscribers = await listSubscribers(trx, accounts, TYPE)
    const messages = denials.filter(({ event }) => subscribers.has(event.data.account_id.toLowerCase())).map(messageOf)
    const first = new Map(messages.toReversed().map((message) => [message.eventId, message]))
    for (const message of first.values()) await enqueue(deps, trx, message)
  }
}

function denialsOf(event: UsageEvent): Denial[] {
  const { verdict, denied_by, key_denied_by = [] } = event.data.decision
  if (verdict !== 'denied') return []
  return [
    ...denied_by.map((policy) => ({ event, policy, isOfKey: false })),
    ...key_denied_by.map((policy) => ({ event, policy, isOfKey: true })),
  ]
}

function messageOf({ event, policy, isOfKey }: Denial): WebhookMessage {
  const { account_id, key_id, kid, route, decision } = event.data
  const windows = isOfKey ? decision.key_windows : decision.windows
  const window = windows?.find((one) => one.policy === policy)
  const period = Math.floor(Date.parse(event.time) / DEBOUNCE_MS)
  const scope = isOfKey ? 'key' : 'account'
  return {
    eventId: idOf(`${account_id.toLowerCase()} ${isOfKey ? key_id : 'account'} ${policy} ${period}`),
    accountId: account_id,
    type: TYPE,
    subject: `${policy}, ${scope}`,
    occurredAt: new Date(event.time),
    data: {
      account_id,
      scope,
      policy,
      limit: window?.limit ?? null,
      retry_after_ms: decision.retry_after_ms,
      key_id,
      kid,
      route,
      request_id: event.data.request_id,
    },
  }
}

/** A UUID of version 8 (RFC 9562) from a hash. */
function idOf(text: string): string {
  const hex = createHash('sha256').update(`limit.reached ${text}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
