import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { usageCellsOf } from '@tapeline/testing/usage/usage-cells'
import { waitUntil } from '@tapeline/testing/wait-until'
import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { addAccount, type TestAccount } from '../../test/account.fixture.ts'
import { type DegradedModeId, degradedModes, type DrilledElsewhere } from './degraded-modes.ts'
import {
  addFreeAccount,
  countedByAudit,
  type DegradedWorld,
  RECOVERY_MS,
  leftToday,
  type Name,
  observe,
  type ObservedAnswer,
  SMALL,
  startDegradedWorld,
  until,
} from '../../test/degraded.fixture.ts'
import { streamsWithoutRedis, streamsWithoutService } from '../../test/degraded-streams.fixture.ts'
import { startTestGateway } from '../../test/gateway.fixture.ts'

const LIST = '/api/v1/trades/list'
const METRICS = '/api/v1/internal/apikeyaudit/dashboard-metrics'
const KEYS = '/api/v1/internal/api-keys'
const LOGIN = '/api/v1/internal/user/login'

vi.setConfig({ testTimeout: 5 * RECOVERY_MS })
let world: DegradedWorld
beforeAll(async () => {
  world = await startDegradedWorld()
}, 300_000)
afterEach(() => world.recover())
afterAll(() => world.stop())

const byKey = ({ apiKey }: TestAccount, path = LIST, at = world.gateway) =>
  observe(at.url + path, { headers: { 'x-api-key': apiKey } })
const signedIn = ({ accessToken }: TestAccount, path: string, at = world.gateway) =>
  observe(at.url + path, { headers: { authorization: `Bearer ${accessToken}` } })
const logIn = () =>
  observe(world.gateway.url + LOGIN, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } })

const served = { status: 200, isDegraded: false }
const shared = { status: 200, isDegraded: true }
const unavailable = { status: 503, code: 'service.unavailable', retryAfter: '1' }
const unknown = { status: 503, code: 'account.unavailable', retryAfter: '1' }

/** An account that the gateway has cached, with its key and its session. */
async function cachedAccount(limits = {}): Promise<TestAccount> {
  const account = addAccount(world.edge, limits)
  await until(() => byKey(account), served)
  await until(() => signedIn(account, '/api/v1/limits'), served)
  return account
}

async function withoutRedis(fault: 'refuse' | 'hang'): Promise<void> {
  const { wires } = world
  const account = await cachedAccount({ requestsPerDay: 6 })
  wires.redis.setFault(fault)
  await until(() => byKey(account), shared)
  const before = wires.redis.occurrences('EVALSHA')
  const answers: ObservedAnswer[] = []
  for (let n = 0; n < 20; n += 1) answers.push(await byKey(account))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]))
  expect(answers.filter(({ status }) => status === 200).length).toBeLessThan(5)
  expect(wires.redis.occurrences('EVALSHA'), 'no request waits for an unavailable Redis').toBe(before)
  expect((await logIn()).status).toBe(200)
  wires.redis.setFault('pass')
  await waitUntil(
    'the requests admitted during the outage are counted in Redis',
    async () => (await leftToday(world, account)) === 0,
    RECOVERY_MS,
  )
  await until(() => byKey(account), { status: 429, isDegraded: false })
}

/** One owner of records is unavailable: cached accounts are served, others get a Retry-After. */
async function withoutOwner(name: Name, refused: (account: TestAccount) => Promise<ObservedAnswer>): Promise<void> {
  const { wires } = world
  const account = await cachedAccount()
  wires[name].setFault('refuse')
  const unknownAccount = addAccount(world.edge)
  await until(() => refused(account), unavailable)
  expect(await byKey(unknownAccount)).toMatchObject(unknown)
  for (const path of [LIST, '/api/v1/instruments', '/api/v1/limits'])
    expect(await byKey(account, path)).toMatchObject(served)
  expect(await signedIn(account, METRICS)).toMatchObject(served)
  wires[name].setFault('pass')
  await until(() => refused(account), { status: 200 })
  await until(() => byKey(unknownAccount), served)
}

const drills: Record<Exclude<DegradedModeId, DrilledElsewhere>, () => Promise<void>> = {
  'redis-refused': () => withoutRedis('refuse'),
  'redis-hung': () => withoutRedis('hang'),

  async 'redis-slow'() {
    const limit = 6
    const [account, full] = [await cachedAccount({ requestsPerDay: limit }), await cachedAccount({ requestsPerDay: 1 })]
    await until(() => byKey(full), { status: 429, isDegraded: false })
    world.wires.redis.setFault('slow')
    const [answers, ofFull]: [ObservedAnswer[], ObservedAnswer[]] = [[], []]
    for (let n = 0; n < 4 * limit; n += 1) answers.push(await byKey(account))
    for (let n = 0; n < limit; n += 1) ofFull.push(await byKey(full))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]))
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(limit + limit)
    expect(new Set(ofFull.map(({ status }) => status))).toEqual(new Set([429]))
    expect(answers.some(({ isDegraded }) => isDegraded)).toBe(true)
    world.wires.redis.setFault('pass')
    await until(() => byKey(account), { status: 429, isDegraded: false })
  },

  async 'redis-flushed'() {
    const account = await cachedAccount({ requestsPerDay: 10 })
    countedByAudit(world.edge, account, 7)
    const redis = new Redis(world.servers.redisUrl)
    await redis.flushall('SYNC')
    redis.disconnect()
    // On a busy machine the seeding may be repeated; reading the limits is not counted.
    await until(() => byKey(account, '/api/v1/limits'), served)
    expect(await byKey(account)).toMatchObject(served)
    expect(await leftToday(world, account)).toBe(2)
  },

  async 'redis-restarted-empty'() {
    const account = await cachedAccount({ requestsPerDay: 10 })
    countedByAudit(world.edge, account, 7)
    await world.servers.started.redis?.child.kill()
    expect(await byKey(account)).toMatchObject(shared)
    countedByAudit(world.edge, account, 8)
    rmSync(join(world.dir, 'redis'), { recursive: true, force: true, maxRetries: 5 })
    await world.servers.restart('redis')
    await until(() => byKey(account, '/api/v1/limits'), served)
    const { redisUrl } = world.servers
    await waitUntil('the share is merged', async () => (await usageCellsOf(redisUrl, account.id)) > 0, RECOVERY_MS)
    // Audit has also counted the request admitted by the share: it is in the seed and not added again.
    expect(await leftToday(world, account)).toBe(2)
  },

  async 'kafka-unavailable'() {
    const account = addAccount(world.edge)
    await until(() => byKey(account, LIST, world.small), served)
    const inJournal = () => world.small.usage().filter(({ account_id }) => account_id === account.id).length
    for (let n = inJournal(); n < 20; n += 1) expect(await byKey(account, LIST, world.small)).toMatchObject(served)
    expect(inJournal()).toBe(20)
    world.wires.kafka.setFault('pass')
    await waitUntil('the journal is shipped, but for its newest segment', () => inJournal() < 10, RECOVERY_MS)
  },

  async 'journal-full'() {
    world.wires.kafka.setFault('refuse')
    const stopped = await startTestGateway(world.edge, {
      REDIS_URL: world.servers.redisUrl,
      KAFKA_BROKERS: `127.0.0.1:${world.wires.kafka.port}`,
      KAFKA_TOPIC_PREFIX: world.small.topicPrefix,
      ...SMALL,
    })
    try {
      const account = addAccount(world.edge)
      const full = { status: 503, code: 'journal.full', retryAfter: '1' }
      await until(() => byKey(account, LIST, stopped), full)
      expect(await byKey(account, LIST, stopped)).toMatchObject(full)
      expect(await byKey(account, '/api/v1/limits', stopped)).toMatchObject(served)
      expect(await signedIn(account, METRICS, stopped)).toMatchObject(served)
      world.wires.kafka.setFault('pass')
      await until(() => byKey(account, LIST, stopped), served)
    } finally {
      await stopped.stop()
    }
  },

  'identity-unavailable': () => withoutOwner('identity', logIn),
  'api-key-unavailable': () => withoutOwner('api-key', (account) => signedIn(account, KEYS)),
  'config-unavailable': () =>
    withoutOwner('config', (account) => signedIn(account, '/api/v1/internal/user/feature-flags')),

  async 'audit-unavailable'() {
    const account = await cachedAccount()
    world.wires.audit.setFault('refuse')
    await until(() => signedIn(account, METRICS), unavailable)
    for (const path of [LIST, '/api/v1/limits']) expect(await byKey(account, path)).toMatchObject(served)
    expect(await byKey(addAccount(world.edge))).toMatchObject(shared)
    world.wires.audit.setFault('pass')
    await until(() => signedIn(account, METRICS), served)
  },

  async 'market-data-unavailable'() {
    const account = await cachedAccount()
    world.wires['market-data'].setFault('refuse')
    await until(() => byKey(account), unavailable)
    for (const path of [METRICS, KEYS, '/api/v1/internal/user/details'])
      expect(await signedIn(account, path)).toMatchObject({ status: 200 })
    expect(await byKey(account, '/api/v1/health')).toMatchObject(served)
    const counted = world.gateway.usage().filter(({ account_id, status }) => account_id === account.id && status >= 500)
    expect(counted.length).toBeGreaterThan(0)
    world.wires['market-data'].setFault('pass')
    await until(() => byKey(account), served)
  },

  async 'market-data-hung'() {
    const account = await cachedAccount()
    world.wires['market-data'].setFault('hang')
    const answers = await Promise.all(Array.from({ length: 12 }, () => byKey(account)))
    expect(new Set(answers.map(({ code }) => code))).toEqual(new Set(['upstream.timed_out']))
    // Successes of the last seconds still count; then the breaker is open and no request waits.
    await until(() => byKey(account), unavailable)
    expect(await signedIn(account, METRICS)).toMatchObject(served)
    world.wires['market-data'].setFault('pass')
    await until(() => byKey(account), served)
  },

  async 'redis-and-owners-unavailable'() {
    const account = await cachedAccount()
    for (const name of ['redis', 'identity', 'api-key', 'config'] as const) world.wires[name].setFault('refuse')
    await until(() => byKey(account), shared)
    expect(await byKey(addAccount(world.edge))).toMatchObject(unknown)
    for (const name of ['redis', 'identity', 'api-key', 'config'] as const) world.wires[name].setFault('pass')
    await until(() => byKey(account), served)
  },
  'streams-without-redis': async () => streamsWithoutRedis(world, await cachedAccount({ streamConnections: 1 })),
  'streams-without-service': async () => streamsWithoutService(world, await cachedAccount()),
  async overloaded() {
    const { edge } = world
    const [pro, free] = [addAccount(edge), addFreeAccount(edge)]
    for (const account of [pro, free]) await byKey(account, '/api/v1/limits', world.small)
    const pending: (() => void)[] = []
    const upstream = edge.upstream
    edge.upstream = (_request, reply) => void pending.push(() => reply.end('{}'))
    const open = Array.from({ length: 6 }, () => signedIn(pro, METRICS, world.small))
    await waitUntil('they are open', () => pending.length === 6, RECOVERY_MS)
    edge.upstream = upstream
    const full = { status: 503, code: 'gateway.overloaded', retryAfter: '3' }
    expect(await byKey(free, '/api/v1/limits', world.small)).toMatchObject(full)
    expect(await byKey(pro, '/api/v1/limits', world.small)).toMatchObject(served)
    for (const answer of pending) answer()
    await Promise.all(open)
    await until(() => byKey(free, '/api/v1/limits', world.small), served)
  },
}

test('every row has its drill', () => {
  const here = degradedModes.flatMap((mode) => ('drill' in mode ? [] : [mode.id]))
  expect(Object.keys(drills).toSorted()).toEqual(here.toSorted())
})

test.each(Object.entries(drills))('%s: callers see what the table documents', async (_id, drill) => {
  await expect(drill()).resolves.toBeUndefined()
})
