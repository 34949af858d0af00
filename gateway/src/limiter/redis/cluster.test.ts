import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import {
  keyVersionField,
  markSeeded,
  raiseVersion,
  SUBSCRIPTION_VERSION_FIELD,
  USER_VERSION_FIELD,
} from '@tapeline/service/account-versions'
import { connectRedis, type RedisClient, redisReady } from '@tapeline/service/redis'
import { type RedisCluster, startRedisCluster } from '@tapeline/testing/redis/redis-cluster'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addAccount, type TestAccount } from '../../../test/account.fixture.ts'
import { type Edge, startEdge, startTestGateway, type TestGateway } from '../../../test/gateway.fixture.ts'

// Two gateways on a Redis Cluster of three real nodes: REDIS_URL names them all.

const LIST = '/api/v1/trades/list'
const LIMITS = '/api/v1/limits'
const PATIENCE_MS = 60_000

let edge: Edge
let cluster: RedisCluster
let gateways: TestGateway[]
let redis: RedisClient

beforeAll(async () => {
  cluster = await startRedisCluster()
  edge = await startEdge()
  const env = {
    REDIS_URL: cluster.url,
    GATEWAYS_EXPECTED: '2',
    THROTTLE_SAMPLE_PER_MINUTE: '5',
  }
  gateways = await Promise.all([startTestGateway(edge, env), startTestGateway(edge, env)])
  redis = connectRedis({ url: cluster.url, logger: silentLogger, commandTimeoutMs: 5_000 })
  await redisReady(redis, PATIENCE_MS)
})
afterAll(async () => {
  redis?.disconnect()
  await Promise.all(gateways?.map((gateway) => gateway.stop()) ?? [])
  await edge?.stop()
  await cluster?.stop()
})

const request = (account: TestAccount, n = 0, path = LIST): Promise<Response> =>
  fetch((gateways[n % gateways.length]?.url ?? '') + path, { headers: { 'x-api-key': account.apiKey } })
const statusesOf = async (account: TestAccount, count: number): Promise<number[]> =>
  Promise.all(Array.from({ length: count }, async (_value, n) => (await request(account, n)).status))
const denied = (statuses: number[]): number => statuses.filter((status) => status === 429).length
const hashOf = ({ id }: TestAccount): string => `acct:{${id}}`

/** Both gateways have loaded the counters, and Redis decides. */
async function untilSeeded(account: TestAccount): Promise<void> {
  for (const n of gateways.keys()) {
    await waitUntil(
      'Redis decides',
      async () => {
        const { status, headers } = await request(account, n, LIMITS)
        return status === 200 && !headers.has('x-ratelimit-policy')
      },
      PATIENCE_MS,
    )
  }
}

/** Not in the minute, which ends while a busy machine recovers. */
async function usedInHour(account: TestAccount): Promise<number> {
  return usedInHourBy(await request(account, 0, LIMITS))
}

function usedInHourBy({ headers }: Response): number {
  const left = /"hour";r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]
  const limit = /"hour";q=(\d+)/.exec(headers.get('ratelimit-policy') ?? '')?.[1]
  return headers.has('x-ratelimit-policy') ? Number.NaN : Number(limit) - Number(left)
}

/** One account on each node. */
async function accountOnEach(): Promise<TestAccount[]> {
  const found = new Map<string, TestAccount>()
  while (found.size < cluster.nodes.length) {
    const account = addAccount(edge, { requestsPerMinute: 10 })
    const { url } = await cluster.nodeOf(hashOf(account))
    if (!found.has(url)) found.set(url, account)
  }
  return [...found.values()]
}

test('accounts on every node are limited exactly, seeded, counted in cells, and release their leases', async () => {
  const accounts = await accountOnEach()
  const [seeded] = accounts
  if (seeded === undefined) throw new Error('no account')
  const minute = Math.floor(Date.now() / 60_000)
  edge.seeds.set(seeded.id, { as_of: new Date().toISOString(), minutes: [[minute, 4]], month: 4 })
  await Promise.all(accounts.map((account) => untilSeeded(account)))
  for (const [n, account] of accounts.entries()) {
    const left = n === 0 ? 6 : 10
    const answers = await Promise.all(Array.from({ length: 24 }, (_value, one) => request(account, one)))
    // On a busy machine the share may decide some of them; all others are exact.
    const byShare = answers.filter(({ headers }) => headers.has('x-ratelimit-policy')).length
    const admitted = 24 - denied(answers.map(({ status }) => status))
    expect(Math.abs(admitted - left), `${byShare} by the share`).toBeLessThanOrEqual(byShare)
    const node = await cluster.nodeOf(hashOf(account))
    await waitUntil('every decision is in a cell', async () => {
      const hours = await node.redis.keys(`usage:{${account.id}}:*`)
      const cells = (await Promise.all(hours.map((hour) => node.redis.hvals(hour)))).flat()
      return cells.reduce((sum, count) => sum + Number(count), 0) >= 24
    })
    await waitUntil(
      'all is given back',
      async () => (await node.redis.zcard(`leases:{${account.id}}`)) === 0,
      PATIENCE_MS,
    )
  }
})

test('a version that an owner writes to the cluster applies to the next request', async () => {
  const account = addAccount(edge)
  expect(await markSeeded(redis, account.id, Date.now())).toBe(true)
  await untilSeeded(account)
  const record = edge.keys.get(account.kid)
  if (record === undefined) throw new Error('no key')
  edge.keys.set(account.kid, { ...record, state: 'revoked', version: 2 })
  const version = { accountId: account.id, field: keyVersionField(account.kid), version: 2 }
  expect(await raiseVersion(redis, version)).toBe(true)
  for (const n of gateways.keys()) {
    expect((await request(account, n)).status).not.toBe(200)
    await waitUntil('the owner has answered', async () => (await request(account, n)).status === 401, PATIENCE_MS)
  }
})

test('after a restore, records with lower versions are used once forget-versions.ts has run; counters are unchanged', async () => {
  const accounts = await accountOnEach()
  await Promise.all(accounts.map((account) => untilSeeded(account)))
  for (const account of accounts) {
    expect(denied(await statusesOf(account, 3))).toBe(0)
    await waitUntil('all three are counted', async () => (await usedInHour(account)) >= 3, PATIENCE_MS)
    // The owners' databases are from before these versions.
    for (const field of [USER_VERSION_FIELD, SUBSCRIPTION_VERSION_FIELD, keyVersionField(account.kid)]) {
      await raiseVersion(redis, { accountId: account.id, field, version: 7 })
    }
    await waitUntil('it is unavailable', async () => (await request(account, 0, LIMITS)).status === 503, PATIENCE_MS)
  }

  const command = join(import.meta.dirname, '../../../../libs/service/src/process/forget-versions.ts')
  const env = { ...process.env, REDIS_URL: cluster.url }
  const { stdout } = await promisify(execFile)(process.execPath, [command], { env })
  expect(stdout).toMatch(/^redis: versions of \d+ accounts removed\n$/)
  const restarted = await startTestGateway(edge, { REDIS_URL: cluster.url, GATEWAYS_EXPECTED: '2' })
  try {
    for (const { apiKey } of accounts) {
      const limits = () => fetch(restarted.url + LIMITS, { headers: { 'x-api-key': apiKey } })
      await waitUntil('Redis decides', async () => usedInHourBy(await limits()) >= 3, PATIENCE_MS)
      expect((await limits()).status).toBe(200)
    }
  } finally {
    await restarted.stop()
  }
})

test('throttles by address count in the cluster, for both gateways', async () => {
  const sample = async (n: number) => (await fetch(`${gateways[n]?.url}/api/v1/sample/BTC-USDT`)).status
  for (const n of gateways.keys()) {
    await waitUntil('there were too many', async () => (await sample(n)) === 429, PATIENCE_MS)
  }
  // A bucket may end with its minute before it is read.
  await waitUntil(
    'the requests are counted in the cluster',
    async () => {
      await sample(0)
      const buckets = await Promise.all(cluster.nodes.map((node) => node.redis.keys('throttle:*')))
      const counts = await Promise.all(buckets.flat().map((bucket) => redis.get(bucket)))
      return Math.max(...counts.map(Number)) > 0
    },
    PATIENCE_MS,
  )
})

test("a slot that moves keeps its account's counters: none is lost, and no request is denied because of it", async () => {
  const account = addAccount(edge, { requestsPerMinute: 10 })
  await untilSeeded(account)
  expect(denied(await statusesOf(account, 6))).toBe(0)
  const from = await cluster.nodeOf(hashOf(account))
  const to = cluster.nodes.find((node) => node !== from)
  if (to === undefined) throw new Error('no other node')
  await cluster.moveSlot(hashOf(account), to)
  expect(await cluster.nodeOf(hashOf(account))).toBe(to)
  const first = await request(account)
  expect([first.status, first.headers.get('x-ratelimit-policy')]).not.toContain(429)
  await untilSeeded(account)
  // The request after the move may have been admitted by the share.
  await waitUntil('all seven are counted', async () => (await usedInHour(account)) >= 7, PATIENCE_MS)
  expect(denied(await statusesOf(account, 8))).toBeGreaterThanOrEqual(5)
  await waitUntil('all is merged', async () => (await usedInHour(account)) >= 10, PATIENCE_MS)
})

test('an unavailable node has the same effect as an unavailable Redis: the fallback limiter decides, and its admissions are merged afterwards', async () => {
  const accounts = await accountOnEach()
  await Promise.all(accounts.map((account) => untilSeeded(account)))
  for (const account of accounts) expect(denied(await statusesOf(account, 4))).toBe(0)
  const [lost, ...kept] = accounts
  if (lost === undefined) throw new Error('no account')
  const node = await cluster.nodeOf(hashOf(lost))
  await node.kill()
  for (const account of accounts) {
    await waitUntil(
      'the fallback limiter decides',
      async () => (await request(account)).headers.get('x-ratelimit-policy') === 'degraded',
      PATIENCE_MS,
    )
    const got = await statusesOf(account, 30)
    expect(got.filter((status) => status === 500 || status === 503)).toEqual([])
    expect(denied(got)).toBeGreaterThanOrEqual(20)
  }
  await node.start()
  await cluster.untilOk()
  await Promise.all(accounts.map((account) => untilSeeded(account)))
  // Each admitted at least one request by the share, in addition to the four before.
  for (const account of kept) await waitUntil('it is merged', async () => (await usedInHour(account)) >= 5, PATIENCE_MS)
})
