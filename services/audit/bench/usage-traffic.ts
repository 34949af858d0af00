import { randomUUIDv7 } from 'node:crypto'
import type { UsageRequestServed } from '@tapeline/contracts/usage/events'
import { POLICIES } from '@tapeline/contracts/usage/events'
import { usageEvent } from '@tapeline/testing/usage/usage-event'

type Message = { key: string; value: string }

const ROUTES = ['/api/v1/trades/list', '/api/v1/l2events/list', '/api/v1/instruments', '/api/v1/health']
const KEYS_PER_ACCOUNT = 2
/** Below the shares of a limit that users are notified of. */
const USED_BELOW = 5_000
const LONGEST_RESET_MS = { burst: 1_100, min: 61_000, hour: 3_660_000, day: 87_300_000, month: 2_678_400_000, conc: 0 }
const NOT_FOUND_EVERY = 20
const LATENCY_MIN_US = 1_500
const LATENCY_SPREAD = 3

/** Events of many accounts, as gateways write them; every tenth is of account `probe`. */
export function createTraffic(accounts: number, probe: string): () => Message {
  const owners = Array.from({ length: accounts }, () => ({
    accountId: crypto.randomUUID(),
    keyIds: Array.from({ length: KEYS_PER_ACCOUNT }, () => crypto.randomUUID()),
  }))
  let count = 0
  return () => {
    count += 1
    const { accountId, keyIds } = owners[Math.floor(Math.random() * accounts)] ?? { accountId: probe, keyIds: [] }
    const account_id = count % 10 === 0 ? probe : accountId
    const event = usageEvent({
      account_id,
      id: randomUUIDv7(),
      key_id: keyIds[count % KEYS_PER_ACCOUNT] ?? 'session',
      kid: 'abcdefghijkl',
      tier: 'pro',
      route: ROUTES[count % ROUTES.length] ?? '',
      latency_us: Math.ceil(LATENCY_MIN_US * Math.exp(Math.random() * LATENCY_SPREAD)),
      ...(count % NOT_FOUND_EVERY === 0 ? NOT_FOUND : {}),
    })
    event.data.decision.windows = POLICIES.map((policy) => ({
      policy,
      used: count % USED_BELOW,
      limit: 10_000,
      reset_ms: Math.ceil(Math.random() * LONGEST_RESET_MS[policy]),
    }))
    return { key: account_id, value: JSON.stringify(event) }
  }
}

const NOT_FOUND: Partial<UsageRequestServed> = { status: 404, outcome: 'client_error', code: 'request.route_not_found' }
