import { randomUUIDv7 } from 'node:crypto'
import { newEvent, type Event } from '@tapeline/contracts/event'
import {
  type UsageRequestServed,
  usageRequestServed,
  type UsageStreamDelivered,
  usageStreamDelivered,
} from '@tapeline/contracts/usage/events'

export type UsageEventFields = Partial<UsageRequestServed> & { id?: string; at?: Date }

/** A usage event for tests: by default of an allowed and answered request. */
export function usageEvent({ id, at, ...data }: UsageEventFields = {}): Event<UsageRequestServed> {
  const accountId = data.account_id ?? crypto.randomUUID()
  return newEvent(usageRequestServed, {
    id: id ?? randomUUIDv7(),
    time: at ?? new Date(),
    subject: accountId,
    account: accountId,
    actor: { kind: 'service', service: 'gateway' },
    network: '192.0.2.0/24',
    data: {
      account_id: accountId,
      key_id: 'session',
      kid: null,
      tier: 'free',
      method: 'POST',
      route: '/api/v1/trades/list',
      status: 200,
      outcome: 'ok',
      code: null,
      decision: { verdict: 'admitted', degraded: false, denied_by: [], retry_after_ms: 0, windows: [] },
      latency_us: 4_000,
      upstream_latency_us: 3_000,
      bytes_in: 100,
      bytes_out: 2_000,
      rows_returned: 10,
      gateway_id: 'gw-test',
      request_id: crypto.randomUUID().replaceAll('-', ''),
      network: '192.0.2.0/24',
      ...data,
    },
  })
}

/** A usage event of a request that the limiter denied. */
export function deniedUsageEvent(usage: UsageEventFields = {}): Event<UsageRequestServed> {
  return usageEvent({
    status: 429,
    outcome: 'denied',
    code: 'limit.minute_exceeded',
    latency_us: 300,
    upstream_latency_us: null,
    rows_returned: null,
    decision: {
      verdict: 'denied',
      degraded: false,
      denied_by: ['min'],
      retry_after_ms: 1_000,
      windows: [{ policy: 'min', used: 10, limit: 10 }],
    },
    ...usage,
  })
}

export type StreamEventFields = Partial<UsageStreamDelivered> & { id?: string; at?: Date }

/** A usage event of a live stream for tests: by default of a connection that was open for a minute. */
export function streamEvent({ id, at, ...data }: StreamEventFields = {}): Event<UsageStreamDelivered> {
  const accountId = data.account_id ?? crypto.randomUUID()
  return newEvent(usageStreamDelivered, {
    id: id ?? randomUUIDv7(),
    time: at ?? new Date(),
    subject: accountId,
    account: accountId,
    actor: { kind: 'service', service: 'gateway' },
    network: '192.0.2.0/24',
    data: {
      account_id: accountId,
      key_id: 'session',
      kid: null,
      tier: 'free',
      transport: 'websocket',
      connection_id: crypto.randomUUID().replaceAll('-', ''),
      opened: true,
      ended: true,
      open_ms: 60_000,
      messages: 10,
      bytes_in: 100,
      bytes_out: 5_000,
      gateway_id: 'gw-test',
      network: '192.0.2.0/24',
      ...data,
    },
  })
}
