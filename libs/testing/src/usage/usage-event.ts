import { randomUUIDv7 } from 'node:crypto'
import { newEvent, type Event } from '@tapeline/contracts/event'
import { type UsageRequestServed, usageRequestServed } from '@tapeline/contracts/usage/events'

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
