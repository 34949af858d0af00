import type { KeyRecord } from '@tapeline/contracts/api-key/http'
import { LimitsReport } from '@tapeline/contracts/gateway/http'
import { ACTOR_HEADER, verifyActorToken } from '@tapeline/service/actor-token'
import { testInternalKeys } from '@tapeline/testing/call-as'
import { testServers } from '@tapeline/testing/test-servers'
import { waitUntil } from '@tapeline/testing/wait-until'
import { Redis } from 'ioredis'
import { Value } from 'typebox/value'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addAccount, addKey, type TestAccount } from './account-under-test.ts'
import { type Edge, startEdge, startTestGateway, type TestGateway } from './gateway-under-test.ts'
import { type RedisBetween, startRedisBetween } from './redis-between-under-test.ts'

const LIST = '/api/v1/trades/list'
const SETUP_TIMEOUT_MS = 120_000

let edge: Edge
let wire: RedisBetween
let gateways: TestGateway[]
let redis: Redis

beforeAll(async () => {
  edge = await startEdge()
  wire = await startRedisBetween(testServers().redisUrl)
  const env = { REDIS_URL: wire.url, GATEWAYS_EXPECTED: '2', LIMITER_REPLY_WITHIN_MS: '1000' }
  gateways = await Promise.all([startTestGateway(edge, env), startTestGateway(edge, env)])
  redis = new Redis(testServers().redisUrl)
}, SETUP_TIMEOUT_MS)
afterAll(async () => {
  redis.disconnect()
  await Promise.all(gateways.map((gateway) => gateway.stop()))
  await wire.stop()
  await edge.stop()
})

const ask = (apiKey: string, n = 0, path = LIST, headers: Record<string, string> = {}): Promise<Response> =>
  fetch((gateways[n % gateways.length]?.url ?? '') + path, { headers: { 'x-api-key': apiKey, ...headers } })
const statusesOf = async (apiKey: string, count: number): Promise<number[]> =>
  Promise.all(Array.from({ length: count }, async (_value, n) => (await ask(apiKey, n)).status))
const denied = (statuses: number[]): number => statuses.filter((status) => status === 429).length
const usageOf = ({ id }: TestAccount) =>
  gateways.flatMap((gateway) => gateway.usage()).filter(({ account_id }) => account_id === id)

/** As its owner does it: the record first, then its version for the gateways. */
async function change(account: TestAccount, fields: Partial<KeyRecord>): Promise<void> {
  const record = edge.keys.get(account.kid)
  if (record === undefined) throw new Error('no such key')
  edge.keys.set(account.kid, { ...record, ...fields, version: record.version + 1 })
  await redis.hset(`acct:{${account.id}}`, `k:${account.kid}`, record.version + 1)
}

/** Records and counters are loaded, so that only Redis decides what comes next. */
async function untilKnown(apiKey: string): Promise<void> {
  for (const n of gateways.keys()) {
    await waitUntil('the counters are known', async () => {
      const { status, headers } = await ask(apiKey, n, '/api/v1/limits')
      return status === 200 && !headers.has('x-ratelimit-policy')
    })
  }
}

async function limitsOf(apiKey: string): Promise<LimitsReport> {
  const body: unknown = await (await ask(apiKey, 1, '/api/v1/limits')).json()
  if (typeof body !== 'object' || body === null || !('data' in body)) throw new Error('no answer')
  return Value.Parse(LimitsReport, body.data)
}

test("a key's own caps hold over all gateways, beside the account's limits, and a second key has all of its own", async () => {
  const account = addAccount(edge, { requestsPerMinute: 30 })
  await change(account, { rate_limits: { requestsPerMinute: 10 } })
  const second = addKey(edge, account)
  await untilKnown(account.apiKey)
  await untilKnown(second.apiKey)
  expect(denied(await statusesOf(account.apiKey, 25))).toBe(15)
  expect(denied(await statusesOf(second.apiKey, 40))).toBe(20)
})

test('a denial by a cap says whose limit it was in body, headers and event', async () => {
  const account = addAccount(edge)
  await change(account, { rate_limits: { requestsPerHour: 2 } })
  await untilKnown(account.apiKey)
  await statusesOf(account.apiKey, 2)
  const answer = await ask(account.apiKey)
  const hour = { policy: 'hour', used: 2, limit: 2 }
  expect([answer.status, await answer.json()]).toMatchObject([
    429,
    {
      code: 'limit.hour_exceeded',
      scope: 'key',
      decision: {
        denied_by: [],
        key_denied_by: ['hour'],
        windows: expect.arrayContaining([expect.objectContaining({ scope: 'key', ...hour, remaining: 0 })]),
      },
    },
  ])
  const wait = Number(answer.headers.get('retry-after'))
  expect(wait).toBeGreaterThan(3_500)
  expect(answer.headers.get('ratelimit-policy')).toMatch(/, "key-hour";q=2;w=3600$/)
  expect(answer.headers.get('ratelimit')).toMatch(new RegExp(`"conc";r=100, "key-hour";r=0;t=${wait}$`))
  const legacy = ['limit', 'remaining', 'reset'].map((name) => Number(answer.headers.get(`x-ratelimit-${name}`)))
  expect(legacy).toEqual([2, 0, wait])
  const event = await waitUntil('the event is there', () => usageOf(account).find(({ status }) => status === 429))
  expect(event.decision).toMatchObject({ verdict: 'denied', denied_by: [], key_denied_by: ['hour'] })
  expect(event.decision.key_windows).toEqual([expect.objectContaining(hour)])
  expect(event.decision.windows).toHaveLength(6)
})

test('limits can be looked at: of account and key, with the month, and without using them', async () => {
  const account = addAccount(edge, { requestsPerDay: 7 })
  await change(account, { rate_limits: { requestsPerMonth: 5, concurrentRequests: 3 } })
  await untilKnown(account.apiKey)
  await statusesOf(account.apiKey, 2)
  for (let n = 0; n < 2; n += 1) {
    const report = await limitsOf(account.apiKey)
    expect(report).toMatchObject({ tier: 'pro', degraded: false, key_id: edge.keys.get(account.kid)?.key_id })
    expect(report.windows.map(({ scope, policy }) => `${scope} ${policy}`)).toEqual([
      ...['burst', 'min', 'hour', 'day', 'month', 'conc'].map((policy) => `account ${policy}`),
      'key month',
      'key conc',
    ])
    expect(report.windows).toContainEqual(
      expect.objectContaining({ scope: 'account', policy: 'day', used: 2, limit: 7 }),
    )
    const month = report.windows.find(({ scope, policy }) => scope === 'key' && policy === 'month')
    expect(month).toMatchObject({ used: 2, limit: 5, remaining: 3 })
    const untilEnd = Date.parse(report.month.to) - Date.now()
    expect(Math.abs((month?.reset_ms ?? 0) - untilEnd)).toBeLessThan(60_000)
    expect([new Date(report.month.from).getUTCHours(), Date.parse(report.month.from) <= Date.now()]).toEqual([0, true])
  }
  expect(usageOf(account)).toHaveLength(2)
})

test('a cap given to a key that is in use counts what it did before, by its roll-ups', async () => {
  const account = addAccount(edge)
  await statusesOf(account.apiKey, 2)
  const keyId = edge.keys.get(account.kid)?.key_id ?? ''
  const minute = Math.floor(Date.now() / 60_000)
  edge.seeds.set(`${account.id} ${keyId}`, { as_of: new Date().toISOString(), minutes: [[minute - 30, 8]], month: 8 })
  await change(account, { rate_limits: { requestsPerDay: 10 } })
  await untilKnown(account.apiKey)
  expect(denied(await statusesOf(account.apiKey, 6))).toBe(4)
  await change(account, { rate_limits: null })
  expect(denied(await statusesOf(account.apiKey, 3))).toBe(0)
  edge.seeds.set(`${account.id} ${keyId}`, { as_of: new Date().toISOString(), minutes: [[minute - 30, 13]], month: 13 })
  await change(account, { rate_limits: { requestsPerDay: 14 } })
  await untilKnown(account.apiKey)
  expect(denied(await statusesOf(account.apiKey, 3))).toBe(2)
})

test('an old secret in its grace and its successor share the caps of the key', async () => {
  const account = addAccount(edge)
  await change(account, { rate_limits: { requestsPerMinute: 5 } })
  const keyId = edge.keys.get(account.kid)?.key_id ?? ''
  const successor = addKey(edge, account, { key_id: keyId, rate_limits: { requestsPerMinute: 5 } })
  await untilKnown(account.apiKey)
  await untilKnown(successor.apiKey)
  const got = [...(await statusesOf(account.apiKey, 4)), ...(await statusesOf(successor.apiKey, 4))]
  expect(denied(got)).toBe(3)
})

test("requests that are open by one key are limited by its cap, others by the account's", async () => {
  const account = addAccount(edge, { concurrentRequests: 3 })
  await change(account, { rate_limits: { concurrentRequests: 1 } })
  const second = addKey(edge, account)
  await untilKnown(account.apiKey)
  await untilKnown(second.apiKey)
  const { promise: isFree, resolve: free } = Promise.withResolvers<void>()
  edge.upstream = (_request, reply) => void isFree.then(() => reply.end('{}'))
  const open = [ask(account.apiKey), ask(second.apiKey, 1)]
  await waitUntil('both are open', async () => (await redis.zcard(`leases:{${account.id}}`)) === 2)
  const refused = await ask(account.apiKey, 1)
  expect([refused.status, await refused.json()]).toMatchObject([
    429,
    { code: 'limit.concurrency_exceeded', scope: 'key' },
  ])
  free()
  expect(denied((await Promise.all(open)).map(({ status }) => status))).toBe(0)
  edge.upstream = (_request, reply) => reply.end('{}')
  for (let n = 0; n < 10; n += 1) expect((await ask(account.apiKey, n)).status, `request ${n}`).not.toBe(429)
})

test('without Redis the share respects the caps, and what it admitted is merged into them', async () => {
  const account = addAccount(edge)
  await change(account, { rate_limits: { requestsPerMinute: 20 } })
  await untilKnown(account.apiKey)
  expect(denied(await statusesOf(account.apiKey, 8))).toBe(0)
  wire.setMode('refuse')
  try {
    await waitUntil(
      'the share decides',
      async () => (await ask(account.apiKey)).headers.get('x-ratelimit-policy') === 'degraded',
    )
    const got = await statusesOf(account.apiKey, 40)
    // 12 were left as the limiter last told each gateway: at most that and one share more.
    expect(denied(got)).toBeGreaterThanOrEqual(20)
    expect(got.filter((status) => status === 500 || status === 503)).toEqual([])
  } finally {
    wire.setMode('pass')
  }
  await waitUntil('Redis knows of everything', async () => {
    const { degraded, windows } = await limitsOf(account.apiKey)
    const minute = windows.find(({ scope, policy }) => scope === 'key' && policy === 'min')
    const admitted = usageOf(account).filter(({ decision }) => decision.verdict === 'admitted').length
    return !degraded && minute?.used === admitted
  })
})

test.each([
  ['trades:read', 'l2events:read'],
  ['l2events:read', 'trades:read'],
] as const)(
  'a key with the scope %s alone is refused where %s is needed, and counted as refused',
  async (has, lacks) => {
    const account = addAccount(edge)
    await change(account, { scopes: [has] })
    const path = (scope: string) => `/api/v1/${scope.split(':')[0]}/list`
    await untilKnown(account.apiKey)
    expect((await ask(account.apiKey, 0, path(has))).status).not.toBe(403)
    const refused = await ask(account.apiKey, 0, path(lacks))
    const detail = expect.stringContaining(lacks)
    expect([refused.status, await refused.json()]).toMatchObject([
      403,
      { code: 'api_key.scope_missing', detail, scope: lacks },
    ])
    for (const open of ['/api/v1/health', '/api/v1/limits', '/api/v1/instruments']) {
      expect((await ask(account.apiKey, 0, open)).status, open).not.toBe(403)
    }
    const event = await waitUntil('the event is there', () => usageOf(account).find(({ status }) => status === 403))
    expect(event).toMatchObject({ code: 'api_key.scope_missing', decision: { verdict: 'refused', windows: [] } })
    const cells = await redis.hgetall(`usage:{${account.id}}:${Math.floor(Date.now() / 3_600_000)}`)
    expect(Object.entries(cells).filter(([cell]) => cell.endsWith(':refused'))).toHaveLength(1)
    await change(account, { scopes: [has, lacks] })
    expect((await ask(account.apiKey, 1, path(lacks))).status).not.toBe(403)
  },
)

test('a key opens only for the addresses on its list, from the next request on', async () => {
  const account = addAccount(edge)
  await change(account, { networks: ['203.0.113.0/24', '2001:db8::/32'] })
  for (let n = 0; n < 2; n += 1) {
    const refused = await ask(account.apiKey, n)
    expect([refused.status, await refused.json()]).toMatchObject([403, { code: 'api_key.address_not_allowed' }])
  }
  const event = await waitUntil('the event is there', () => usageOf(account).find(({ status }) => status === 403))
  expect(event).toMatchObject({ code: 'api_key.address_not_allowed', decision: { verdict: 'refused' } })
  await change(account, { networks: ['203.0.113.0/24', '127.0.0.0/8'] })
  for (let n = 0; n < 2; n += 1) expect((await ask(account.apiKey, n)).status).toBe(200)
  await change(account, { networks: ['::1'] })
  for (let n = 0; n < 2; n += 1) expect((await ask(account.apiKey, n)).status).toBe(403)
  await change(account, { networks: [] })
  expect((await ask(account.apiKey)).status).toBe(200)
})

test('a key expires by the clock, without any change, and lives again when its expiry is moved', async () => {
  const account = addAccount(edge)
  const expiresMs = Date.now() + 1_500
  await change(account, { expires_at_ms: expiresMs })
  const before: number[] = []
  const expired = await waitUntil('it has expired', async () => {
    const startedMs = Date.now()
    const response = await ask(account.apiKey)
    if (Date.now() < expiresMs) before.push(response.status)
    return startedMs < expiresMs ? undefined : response
  })
  expect([expired.status, await expired.json()]).toMatchObject([401, { code: 'api_key.expired' }])
  expect(before.every((status) => status === 200)).toBe(true)
  await change(account, { expires_at_ms: Date.now() + 3_600_000 })
  expect((await ask(account.apiKey, 1)).status).toBe(200)
})

test('a test key tells the service that it is one', async () => {
  const account = addAccount(edge)
  const { kid, apiKey } = addKey(edge, account, { environment: 'test' })
  const tokens: string[] = []
  edge.upstream = (request, reply) => {
    tokens.push(String(request.headers[ACTOR_HEADER]))
    reply.end('{}')
  }
  expect(apiKey).toMatch(/^tl_test_/)
  expect((await ask(apiKey)).status).toBe(200)
  const [token = ''] = tokens
  const verified = verifyActorToken(testInternalKeys, { token, audience: 'market-data', nowMs: Date.now() })
  expect(verified?.actor).toMatchObject({ environment: 'test', keyId: edge.keys.get(kid)?.key_id })
  edge.upstream = (_request, reply) => reply.end('{}')
})
