import { setTimeout as delay } from 'node:timers/promises'
import { testServers } from '@tapeline/testing/test-servers'
import { waitUntil } from '@tapeline/testing/wait-until'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addAccount, type TestAccount } from '../../test/account.fixture.ts'
import { type Edge, startEdge, startTestGateway, type TestGateway } from '../../test/gateway.fixture.ts'
import { type RedisBetween, startRedisBetween } from '../../test/redis-between.fixture.ts'
import { usageByKind } from '../../test/usage-cells.fixture.ts'

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

const urlOf = (n: number): string => gateways[n % gateways.length]?.url ?? ''
const request = (account: TestAccount, n = 0, path = LIST): Promise<Response> =>
  fetch(urlOf(n) + path, { headers: { 'x-api-key': account.apiKey } })
const statuses = async (account: TestAccount, count: number): Promise<number[]> =>
  Promise.all(Array.from({ length: count }, async (_value, n) => (await request(account, n)).status))
const count = (list: number[], status: number): number => list.filter((one) => one === status).length
const usageOf = (account: TestAccount) =>
  gateways.flatMap((gateway) => gateway.usage()).filter(({ account_id }) => account_id === account.id)

/**
 * Waits until Redis decides at both gateways. A new account is limited by the share until its counters are seeded, which
 * takes longer than the gateway waits for it on a busy machine.
 */
async function untilSeeded(account: TestAccount): Promise<void> {
  const isSeeded = async (n: number) => !(await request(account, n, '/api/v1/limits')).headers.has('x-ratelimit-policy')
  await waitUntil('both gateways have the counters', async () => (await isSeeded(0)) && isSeeded(1), PATIENCE_MS)
}

test('two gateways together admit exactly the limit', async () => {
  const account = addAccount(edge, { requestsPerMinute: 25 })
  await untilSeeded(account)
  const got = await statuses(account, 80)
  expect([count(got, 200), count(got, 429)]).toEqual([25, 55])
})

test('a denial has the same numbers in headers, body and event, and consumes nothing', async () => {
  const account = addAccount(edge, { requestsPerHour: 2 })
  await untilSeeded(account)
  await statuses(account, 2)
  const response = await request(account)
  const body: unknown = await response.json()
  expect([response.status, response.headers.get('content-type')]).toEqual([429, 'application/problem+json'])
  const wait = Number(response.headers.get('retry-after'))
  expect(wait).toBeGreaterThan(3_500)
  expect(response.headers.get('ratelimit-policy')).toMatch(
    /"burst";q=10000;w=1, "min";q=100000;w=60, "hour";q=2;w=3600, /,
  )
  expect(response.headers.get('ratelimit')).toMatch(new RegExp(`"hour";r=0;t=${wait}, .*"conc";r=100$`))
  const legacy = ['limit', 'remaining', 'reset'].map((name) => Number(response.headers.get(`x-ratelimit-${name}`)))
  expect(legacy).toEqual([2, 0, wait])
  const hour = { policy: 'hour', used: 2, limit: 2 }
  expect(body).toMatchObject({ code: 'limit.hour_exceeded', success: false, decision: { denied_by: ['hour'] } })
  expect(body).toMatchObject({ decision: { windows: expect.arrayContaining([expect.objectContaining(hour)]) } })
  const event = await waitUntil('the event is there', () => usageOf(account).find(({ status }) => status === 429))
  expect(event).toMatchObject({
    outcome: 'denied',
    code: 'limit.hour_exceeded',
    decision: { verdict: 'denied', denied_by: ['hour'] },
  })
  expect(event.decision.windows).toContainEqual({ ...hour, reset_ms: expect.any(Number) })
  expect(await usageByKind(redis, account.id)).toEqual({ admitted: 2, denied: 1 })
})

test('a sequential client is never denied for concurrency, whichever gateway it calls', async () => {
  const account = addAccount(edge, { concurrentRequests: 1 })
  for (let n = 0; n < 60; n += 1) expect((await request(account, n)).status, `request ${n}`).toBe(200)
})

test('requests that are open at the same time are limited together', async () => {
  const account = addAccount(edge, { concurrentRequests: 2 })
  await untilSeeded(account)
  const { promise: isFree, resolve: free } = Promise.withResolvers<void>()
  edge.upstream = (_request, reply) => void isFree.then(() => reply.end('{}'))
  const open = [request(account, 0), request(account, 1)]
  await waitUntil('both are open', async () => (await redis.zcard(`leases:{${account.id}}`)) === 2)
  const third = await request(account)
  expect([third.status, await third.json()]).toMatchObject([429, { code: 'limit.concurrency_exceeded' }])
  free()
  expect((await Promise.all(open)).map(({ status }) => status)).toEqual([200, 200])
  expect((await request(account)).status).toBe(200)
  edge.upstream = (_request, reply) => reply.end('{}')
})

test('a client that disconnects while its key is looked up leaves no open request', async () => {
  const account = addAccount(edge, { concurrentRequests: 1 })
  const { promise: isFree, resolve: free } = Promise.withResolvers<void>()
  const { promise: isLookedUp, resolve: lookedUp } = Promise.withResolvers<void>()
  edge.meanwhile = (kind) => {
    if (kind === 'keys') lookedUp()
    return isFree
  }
  const client = new AbortController()
  const headers = { 'x-api-key': account.apiKey }
  const aborted = fetch(urlOf(0) + LIST, { headers, signal: client.signal })
  await isLookedUp
  client.abort()
  await expect(aborted).rejects.toThrow('abort')
  await delay(200) // Until the gateway has noticed.
  edge.meanwhile = undefined
  free()
  await waitUntil('the next request is admitted', async () => (await request(account)).status === 200)
  await waitUntil('nothing is open', async () => (await redis.zcard(`leases:{${account.id}}`)) === 0)
})

test('the limits can be read without using them', async () => {
  const account = addAccount(edge, { requestsPerDay: 7 })
  await untilSeeded(account)
  await statuses(account, 2)
  for (let n = 0; n < 2; n += 1) {
    const body: unknown = await (await request(account, n, '/api/v1/limits')).json()
    const windows = expect.arrayContaining([
      expect.objectContaining({ policy: 'day', used: 2, limit: 7, remaining: 5 }),
    ])
    expect(body).toMatchObject({ success: true, data: { tier: 'pro', windows } })
  }
  expect(usageOf(account)).toHaveLength(2)
})

test('a counter that Redis lost is seeded from the counts of audit', async () => {
  const account = addAccount(edge, { requestsPerDay: 10 })
  const minute = Math.floor(Date.now() / 60_000)
  edge.seeds.set(account.id, { as_of: new Date().toISOString(), minutes: [[minute - 30, 8]], month: 8 })
  await untilSeeded(account)
  const got = await statuses(account, 6)
  expect([count(got, 200), count(got, 429)]).toEqual([2, 4])
})

test('while audit does not answer, an account whose counters are lost is limited to the share of the process', async () => {
  const account = addAccount(edge, { requestsPerMinute: 6, requestsPerDay: 20 })
  edge.silent.add('seeds')
  try {
    const got = await Promise.all(Array.from({ length: 10 }, (_value, n) => request(account, n)))
    expect(
      count(
        got.map(({ status }) => status),
        200,
      ),
    ).toBe(6)
    expect(got[0]?.headers.get('x-ratelimit-policy')).toBe('degraded')
    const minute = Math.floor(Date.now() / 60_000)
    edge.seeds.set(account.id, { as_of: new Date().toISOString(), minutes: [[minute, 6]], month: 6 })
  } finally {
    edge.silent.clear()
  }
  const leftOfDay = async () => {
    const { headers } = await request(account, 0, '/api/v1/limits')
    return headers.has('x-ratelimit-policy') ? undefined : /"day";r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]
  }
  await waitUntil('it is seeded', leftOfDay, PATIENCE_MS)
  // Longer than a merge of shares takes to arrive: requests counted by audit are not counted again.
  for (const untilMs = Date.now() + 600; Date.now() < untilMs;) expect(['14', undefined]).toContain(await leftOfDay())
})

test.each(['refuse', 'hang'] as const)(
  'without Redis (%s) no request gets a 5xx or is unlimited, and used requests stay counted',
  async (mode) => {
    const account = addAccount(edge, { requestsPerMinute: 20 })
    await untilSeeded(account)
    expect(count(await statuses(account, 8), 200)).toBe(8)
    wire.setMode(mode)
    try {
      const first = await request(account)
      expect(first.status).toBe(200)
      await waitUntil(
        'the fallback limiter decides',
        async () => (await request(account)).headers.get('x-ratelimit-policy') === 'degraded',
        PATIENCE_MS,
      )
      const forbidden = await request(account, 0, '/api/v1/internal/user/details')
      expect([forbidden.status, forbidden.headers.get('x-ratelimit-policy')]).toEqual([403, 'degraded'])
      const got = await statuses(account, 60)
      expect(got.filter((status) => status >= 500)).toEqual([])
      // The limiter last reported 12 remaining to each gateway: at most that plus one share is admitted.
      expect(count(got, 200)).toBeLessThanOrEqual(20)
      expect(count(got, 429)).toBeGreaterThan(0)
    } finally {
      wire.setMode('pass')
    }
    await waitUntil('Redis decides again and has counted all requests', async () => {
      const response = await request(account, 0, '/api/v1/limits')
      return (
        response.headers.get('ratelimit')?.includes('"min";r=0') === true && !response.headers.has('x-ratelimit-policy')
      )
    })
    expect(usageOf(account).some(({ decision }) => decision.degraded)).toBe(true)
  },
)

test('a late reply is not counted twice', async () => {
  const account = addAccount(edge, { requestsPerMinute: 100 })
  await untilSeeded(account)
  expect((await request(account)).status).toBe(200)
  wire.setMode('late')
  const meanwhile = await request(account)
  wire.setMode('pass')
  expect([meanwhile.status, meanwhile.headers.get('x-ratelimit-policy')]).toEqual([200, 'degraded'])
  const left = async () => {
    const { headers } = await request(account, 0, '/api/v1/limits')
    return headers.has('x-ratelimit-policy') ? undefined : /"min";r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]
  }
  await waitUntil('Redis decides again', left, PATIENCE_MS)
  // Longer than a merge of shares takes to arrive.
  for (const untilMs = Date.now() + 600; Date.now() < untilMs;) expect(['98', undefined]).toContain(await left())
})
