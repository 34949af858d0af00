import type { KeyRecord } from '@tapeline/contracts/api-key/key-record'
import { LimitsReport } from '@tapeline/contracts/gateway/http'
import { testServers } from '@tapeline/testing/test-servers'
import { waitUntil } from '@tapeline/testing/wait-until'
import { Redis } from 'ioredis'
import { Value } from 'typebox/value'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addAccount, addKey, type TestAccount } from '../../test/account.fixture.ts'
import { type Edge, startEdge, startTestGateway, type TestGateway } from '../../test/gateway.fixture.ts'
import { type RedisBetween, startRedisBetween } from '../../test/redis-between.fixture.ts'

const LIST = '/api/v1/trades/list'
const PATIENCE_MS = 60_000

let edge: Edge
let wire: RedisBetween
let gateways: TestGateway[]
let redis: Redis

beforeAll(async () => {
  edge = await startEdge()
  wire = await startRedisBetween(testServers().redisUrl)
  const env = { REDIS_URL: wire.url, GATEWAYS_EXPECTED: '2' }
  gateways = await Promise.all([startTestGateway(edge, env), startTestGateway(edge, env)])
  redis = new Redis(testServers().redisUrl)
})
afterAll(async () => {
  redis.disconnect()
  await Promise.all(gateways.map((gateway) => gateway.stop()))
  await wire.stop()
  await edge.stop()
})

const request = (apiKey: string, n = 0, path = LIST, headers: Record<string, string> = {}): Promise<Response> =>
  fetch((gateways[n % gateways.length]?.url ?? '') + path, { headers: { 'x-api-key': apiKey, ...headers } })
type Batch = { denied: number; degraded: number; statuses: number[] }
async function send(apiKey: string, count: number): Promise<Batch> {
  const answers = await Promise.all(Array.from({ length: count }, (_value, n) => request(apiKey, n)))
  const statuses = answers.map(({ status }) => status)
  return {
    statuses,
    denied: statuses.filter((status) => status === 429).length,
    degraded: answers.filter(({ headers }) => headers.has('x-ratelimit-policy')).length,
  }
}
/** Expects exactly this number, except for decisions that the share made on a busy machine. */
function expectDenied({ denied, degraded }: Batch, expected: number): void {
  expect(Math.abs(denied - expected), `${denied} denied, ${degraded} by the share`).toBeLessThanOrEqual(degraded)
}
const usageOf = ({ id }: TestAccount) =>
  gateways.flatMap((gateway) => gateway.usage()).filter(({ account_id }) => account_id === id)

/** As its owner does it: the record first, then its version for the gateways. */
async function change(account: TestAccount, fields: Partial<KeyRecord>): Promise<void> {
  const record = edge.keys.get(account.kid)
  if (record === undefined) throw new Error('no such key')
  edge.keys.set(account.kid, { ...record, ...fields, version: record.version + 1 })
  await redis.hset(`acct:{${account.id}}`, `k:${account.kid}`, record.version + 1)
}

/** Records and counters are loaded, so that only Redis decides the next requests. */
async function untilSeeded(apiKey: string): Promise<void> {
  for (const n of gateways.keys()) {
    const isSeeded = async () => {
      const { status, headers } = await request(apiKey, n, '/api/v1/limits')
      return status === 200 && !headers.has('x-ratelimit-policy')
    }
    await waitUntil('the counters are known', isSeeded, PATIENCE_MS)
  }
}

async function limitsOf(apiKey: string): Promise<LimitsReport> {
  const body: unknown = await (await request(apiKey, 1, '/api/v1/limits')).json()
  if (typeof body !== 'object' || body === null || !('data' in body)) throw new Error('no answer')
  return Value.Parse(LimitsReport, body.data)
}

test("a key's own caps apply over all gateways, in addition to the account's limits; another key has its own", async () => {
  const account = addAccount(edge, { requestsPerMinute: 30 })
  await change(account, { rate_limits: { requestsPerMinute: 10 } })
  const second = addKey(edge, account)
  await untilSeeded(account.apiKey)
  await untilSeeded(second.apiKey)
  expectDenied(await send(account.apiKey, 25), 15)
  expectDenied(await send(second.apiKey, 40), 20)
})

test('a denial by the cap of a key names the key in body, headers and event', async () => {
  const account = addAccount(edge)
  await change(account, { rate_limits: { requestsPerHour: 2 } })
  await untilSeeded(account.apiKey)
  await send(account.apiKey, 2)
  const deniedByRedis = async () => {
    const response = await request(account.apiKey)
    return response.status === 429 && !response.headers.has('x-ratelimit-policy') ? response : undefined
  }
  const answer = await waitUntil('Redis denies', deniedByRedis, PATIENCE_MS)
  const hour = { policy: 'hour', limit: 2 }
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

test('limits of account and key, with the month, can be read without consuming them', async () => {
  const account = addAccount(edge, { requestsPerDay: 7 })
  await change(account, { rate_limits: { requestsPerMonth: 5, concurrentRequests: 3 } })
  await untilSeeded(account.apiKey)
  await send(account.apiKey, 2)
  for (let n = 0; n < 2; n += 1) {
    const report = await waitUntil('Redis reports the limits', async () => {
      const one = await limitsOf(account.apiKey)
      return one.degraded ? undefined : one
    })
    expect(report).toMatchObject({ tier: 'pro', key_id: edge.keys.get(account.kid)?.key_id })
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

test('a new cap of a key that is in use includes its previous usage, according to its roll-ups', async () => {
  const account = addAccount(edge)
  await send(account.apiKey, 2)
  const keyId = edge.keys.get(account.kid)?.key_id ?? ''
  const minute = Math.floor(Date.now() / 60_000)
  edge.seeds.set(`${account.id} ${keyId}`, { as_of: new Date().toISOString(), minutes: [[minute - 30, 8]], month: 8 })
  await change(account, { rate_limits: { requestsPerDay: 10 } })
  await untilSeeded(account.apiKey)
  expectDenied(await send(account.apiKey, 6), 4)
  await change(account, { rate_limits: null })
  expectDenied(await send(account.apiKey, 3), 0)
  edge.seeds.set(`${account.id} ${keyId}`, { as_of: new Date().toISOString(), minutes: [[minute - 30, 13]], month: 13 })
  await change(account, { rate_limits: { requestsPerDay: 14 } })
  await untilSeeded(account.apiKey)
  expectDenied(await send(account.apiKey, 3), 2)
})

test('an old secret in its grace and its successor share the caps of the key', async () => {
  const account = addAccount(edge)
  await change(account, { rate_limits: { requestsPerMinute: 5 } })
  const keyId = edge.keys.get(account.kid)?.key_id ?? ''
  const successor = addKey(edge, account, { key_id: keyId, rate_limits: { requestsPerMinute: 5 } })
  await untilSeeded(account.apiKey)
  await untilSeeded(successor.apiKey)
  const [first, second] = [await send(account.apiKey, 4), await send(successor.apiKey, 4)]
  expectDenied({ ...second, degraded: first.degraded + second.degraded }, 3 - first.denied)
})

test("open requests of a key are limited by its cap, those of other keys by the account's", async () => {
  const account = addAccount(edge, { concurrentRequests: 3 })
  await change(account, { rate_limits: { concurrentRequests: 1 } })
  const second = addKey(edge, account)
  await untilSeeded(account.apiKey)
  await untilSeeded(second.apiKey)
  const { promise: isFree, resolve: free } = Promise.withResolvers<void>()
  edge.upstream = (_request, reply) => void isFree.then(() => reply.end('{}'))
  const open = [request(account.apiKey), request(second.apiKey, 1)]
  await waitUntil('both are open', async () => (await redis.zcard(`leases:{${account.id}}`)) === 2)
  const refused = await request(account.apiKey, 1)
  expect([refused.status, await refused.json()]).toMatchObject([
    429,
    { code: 'limit.concurrency_exceeded', scope: 'key' },
  ])
  free()
  expect((await Promise.all(open)).map(({ status }) => status)).not.toContain(429)
  edge.upstream = (_request, reply) => reply.end('{}')
  for (let n = 0; n < 10; n += 1) expect((await request(account.apiKey, n)).status, `request ${n}`).not.toBe(429)
})

test('a cap that is proposed for a key rejects nothing and is recorded with each request; its leases end with them', async () => {
  const account = addAccount(edge)
  const proposal = crypto.randomUUID()
  await change(account, { shadow_limits: { id: proposal, rate_limits: { concurrentRequests: 1 } } })
  await untilSeeded(account.apiKey)
  const ofKey = `leases:{${account.id}}:${edge.keys.get(account.kid)?.key_id}`
  const { promise: isFree, resolve: free } = Promise.withResolvers<void>()
  edge.upstream = (_request, reply) => void isFree.then(() => reply.end('{}'))
  const open = [request(account.apiKey)]
  await waitUntil('one is open', async () => (await redis.zcard(ofKey)) === 1)
  open.push(request(account.apiKey, 1))
  await waitUntil('both are open', async () => (await redis.zcard(ofKey)) === 2)
  free()
  expect((await Promise.all(open)).map(({ status }) => status)).toEqual([200, 200])
  edge.upstream = (_request, reply) => reply.end('{}')
  await waitUntil('no lease is left', async () => (await redis.zcard(ofKey)) === 0)
  await waitUntil('both are recorded', () => usageOf(account).length === 2)
  const verdicts = usageOf(account).map(({ decision }) => decision.key_shadow)
  expect(verdicts.toSorted((a, b) => Number(a?.denied_by.length) - Number(b?.denied_by.length))).toEqual([
    { proposal, denied_by: [] },
    { proposal, denied_by: ['conc'], retry_after_ms: 0 },
  ])
})

test('without Redis the share respects the caps, and its admissions are merged into them', async () => {
  const account = addAccount(edge)
  await change(account, { rate_limits: { requestsPerMinute: 20, requestsPerMonth: 1_000 } })
  await untilSeeded(account.apiKey)
  expectDenied(await send(account.apiKey, 8), 0)
  wire.setMode('refuse')
  try {
    const byShare = async () => (await request(account.apiKey)).headers.get('x-ratelimit-policy') === 'degraded'
    await waitUntil('the fallback limiter decides', byShare, PATIENCE_MS)
    const got = await send(account.apiKey, 40)
    // The limiter last reported 12 remaining to each gateway: at most that plus one share is admitted.
    expect(got.denied).toBeGreaterThanOrEqual(20)
    expect(got.statuses.filter((status) => status === 500 || status === 503)).toEqual([])
  } finally {
    wire.setMode('pass')
  }
  // By the month, because the first requests leave the minute while a busy machine recovers.
  const areCounted = async () => {
    const { degraded, windows } = await limitsOf(account.apiKey)
    const month = windows.find(({ scope, policy }) => scope === 'key' && policy === 'month')
    const admitted = usageOf(account).filter(({ decision }) => decision.verdict === 'admitted').length
    return !degraded && month?.used === admitted
  }
  await waitUntil('all requests are counted in Redis', areCounted, PATIENCE_MS)
})
