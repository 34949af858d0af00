import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { markSeeded } from '@tapeline/service/account-versions'
import { connectRedis, type RedisClient, redisReady } from '@tapeline/service/redis'
import { queryRedis } from '@tapeline/testing/redis/redis-node'
import { type RedisSentinels, startRedisSentinels } from '@tapeline/testing/redis/redis-sentinels'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { addAccount, type TestAccount } from '../../../test/account.fixture.ts'
import { type Edge, startEdge, startTestGateway, type TestGateway } from '../../../test/gateway.fixture.ts'
import { storeReady } from './limiter-store.ts'
import { RedisConnection } from './redis-connection.ts'

// A gateway and a client of the services on a master, two replicas and three Sentinels: REDIS_URL names the Sentinels.

const LIMITS = '/api/v1/limits'
const LIST = '/api/v1/trades/list'
vi.setConfig({ testTimeout: 600_000 })
/** On a busy machine the clocks of Sentinels jump, and then they act only after 30 s without a jump. */
const PATIENCE_MS = 150_000
const dir = mkdtempSync(join(tmpdir(), 'redis-sentinels-'))

let edge: Edge
let servers: RedisSentinels
let gateway: TestGateway
let redis: RedisClient

beforeAll(async () => {
  servers = await startRedisSentinels(dir)
  edge = await startEdge()
  gateway = await startTestGateway(edge, { REDIS_URL: servers.url })
  redis = connectRedis({ url: servers.url, logger: silentLogger, commandTimeoutMs: 1_000 })
  await redisReady(redis, PATIENCE_MS)
}, 600_000)
afterAll(async () => {
  redis?.disconnect()
  await gateway?.stop()
  await edge?.stop()
  await servers?.stop()
  rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
})

const request = (account: TestAccount, path = LIST): Promise<Response> =>
  fetch(gateway.url + path, { headers: { 'x-api-key': account.apiKey } })

/** Redis decides, not the share. */
async function untilDecided(account: TestAccount): Promise<void> {
  const isDecided = async () => {
    const { status, headers } = await request(account, LIMITS)
    return status === 200 && !headers.has('x-ratelimit-policy')
  }
  await waitUntil('Redis decides', isDecided, PATIENCE_MS)
}

/** The configuration epoch of the Sentinels, which every failover raises. */
async function countFailovers(): Promise<number> {
  const [sentinel] = servers.sentinels
  if (sentinel === undefined) throw new Error('no Sentinel')
  const masters = await queryRedis(sentinel, ['SENTINEL', 'masters'])
  const fields: unknown = Array.isArray(masters) ? masters[0] : undefined
  if (!Array.isArray(fields)) throw new Error('the Sentinel names no master')
  return Number(fields[fields.indexOf('config-epoch') + 1])
}

test('after a master was killed, gateway and services use the one that the Sentinels promote, and limits hold', async () => {
  const account = addAccount(edge, { requestsPerMinute: 10 })
  expect(await markSeeded(redis, account.id, Date.now())).toBe(true)
  await untilDecided(account)
  const before = await servers.master()
  await before.kill()
  await waitUntil('another is the master', async () => (await servers.master()) !== before, PATIENCE_MS)
  await untilDecided(account)
  const answers = await Promise.all(Array.from({ length: 30 }, () => request(account)))
  expect(answers.filter(({ status }) => status === 500 || status === 503)).toEqual([])
  // On a busy machine the share may decide some of them.
  const byShare = answers.filter(({ headers }) => headers.has('x-ratelimit-policy')).length
  expect(answers.filter(({ status }) => status === 429).length + byShare).toBeGreaterThanOrEqual(19)
  await waitUntil('the services write', () => redis.set('written', 'yes'), PATIENCE_MS)
  expect(await queryRedis(await servers.master(), ['GET', 'written'])).toBe('yes')
  const failovers = await countFailovers()
  await before.start()
  await servers.untilWhole()
  const after = await servers.master()
  // A pause of a busy machine may cause another failover, and then any server may be the master.
  if ((await countFailovers()) === failovers) expect(after).not.toBe(before)
})

test('a paused master is no longer used once the Sentinels name another one, also after it resumes', async () => {
  const account = addAccount(edge)
  await untilDecided(account)
  const before = await servers.master()
  process.kill(before.pid(), 'SIGSTOP')
  try {
    await waitUntil('another is the master', async () => (await servers.master()) !== before, PATIENCE_MS)
    await untilDecided(account)
  } finally {
    process.kill(before.pid(), 'SIGCONT')
  }
  await servers.untilWhole()
  await untilDecided(account)
  await waitUntil('the services write', () => redis.set('written', 'again'), PATIENCE_MS)
  expect(await queryRedis(await servers.master(), ['GET', 'written'])).toBe('again')
})

test('a connection opens when one Sentinel of three answers', async () => {
  const [first, second, third] = servers.sentinels
  await Promise.all([first?.kill(), second?.kill()])
  const wire = new RedisConnection({ url: servers.url, logger: silentLogger })
  try {
    expect(await storeReady(wire, PATIENCE_MS)).toBe(true)
    await third?.kill()
    await wire.ping()
  } finally {
    wire.disconnect()
  }
})
