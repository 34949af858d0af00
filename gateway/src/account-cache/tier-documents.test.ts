import type { LimitsReport } from '@tapeline/contracts/gateway/http'
import { tiersChanged } from '@tapeline/contracts/config/events'
import { newEvent } from '@tapeline/contracts/event'
import { createKafka } from '@tapeline/events/kafka'
import { send } from '@tapeline/testing/api-client'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { testServers } from '@tapeline/testing/test-servers'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { addAccount, type TestAccount } from '../../test/account.fixture.ts'
import { type Edge, startEdge, startTestGateway, type TestGateway } from '../../test/gateway.fixture.ts'
import type { TiersReport } from '../operations/worker-report.ts'
import { testTiers } from '../../test/tiers.fixture.ts'

vi.setConfig({ testTimeout: 240_000 })
const WITHIN_MS = 60_000
/** Well below the interval of the poll for newer documents. */
const SOON_MS = 7_000
const kafka = createKafka({ brokers: testServers().kafkaBrokers, clientId: 'tiers-test', log: silentLogger })
const producer = kafka.producer()
let edge: Edge
let gateway: TestGateway
const loadedAtMs: number[] = []

beforeAll(async () => {
  edge = await startEdge()
  edge.meanwhile = (kind) => {
    if (kind === 'tiers') loadedAtMs.push(performance.now())
    return undefined
  }
  gateway = await startTestGateway(edge)
  await producer.connect()
})
afterAll(async () => {
  await producer.disconnect()
  await gateway?.stop()
  await edge?.stop()
})

const { pro } = testTiers
const withPro = (changes: Partial<typeof pro.rateLimits>) => ({
  ...testTiers,
  pro: { ...pro, rateLimits: { ...pro.rateLimits, ...changes } },
})

/** An account whose limits are its tier's. */
function proAccount(): TestAccount {
  const account = addAccount(edge)
  const record = edge.subscriptions.get(account.id)
  if (record !== undefined) edge.subscriptions.set(account.id, { ...record, rate_limits: null })
  return account
}

/** The limit of a minute. `used`: of the hour, because requests leave the minute during a slow test. */
async function minuteOf({ apiKey }: TestAccount): Promise<{ limit: number; used: number }> {
  const { body } = await send<{ data: LimitsReport }>(`${gateway.url}/api/v1/limits`, { token: apiKey })
  const windowOf = (name: string) => body.data.windows.find(({ policy }) => policy === name)
  return { limit: windowOf('min')?.limit ?? 0, used: windowOf('hour')?.used ?? 0 }
}

/** Changes config's documents and publishes the new version until it is received. */
async function announce(tiers: unknown, requests = 1): Promise<void> {
  const version = edge.tiers.version + 1
  edge.tiers = { version, tiers }
  const actor = { kind: 'service', service: 'config' } as const
  const about = { id: crypto.randomUUID(), time: new Date(), subject: 'tiers', account: null, actor }
  const event = newEvent(tiersChanged, { ...about, data: { version, before: {}, after: {}, reason: null } })
  const tierRequests = () => edge.requests.filter((url) => url.startsWith('/internal/tiers')).length
  const before = tierRequests()
  await waitUntil(
    'the gateway has requested the tiers',
    async () => {
      await producer.send({ topic: `${gateway.topicPrefix}config`, messages: [{ value: JSON.stringify(event) }] })
      return tierRequests() >= before + requests
    },
    WITHIN_MS,
  )
}

test('the documents are loaded again when events arrive, because a change before that is not announced again', async () => {
  // Whenever that is between two polls, one of them is near.
  const isLoadedBetweenPolls = () => loadedAtMs.some((atMs, n) => atMs - (loadedAtMs[n - 1] ?? -Infinity) < SOON_MS)
  await waitUntil('the documents are loaded between two polls', isLoadedBetweenPolls, WITHIN_MS)
})

test('new tier documents apply on a running gateway, and counters are kept', async () => {
  const account = proAccount()
  for (let n = 0; n < 3; n += 1) {
    expect((await send(`${gateway.url}/api/v1/trades/list`, { token: account.apiKey, body: {} })).status).toBe(200)
  }
  await waitUntil('all are counted', async () => (await minuteOf(account)).used === 3, WITHIN_MS)
  expect((await minuteOf(account)).limit).toBe(500)
  await announce(withPro({ requestsPerMinute: 400 }))
  await waitUntil('the new limit applies', async () => (await minuteOf(account)).limit === 400, WITHIN_MS)
  await waitUntil('all are still counted', async () => (await minuteOf(account)).used === 3, WITHIN_MS)
})

test('invalid documents change nothing, and the next valid ones apply', async () => {
  const account = proAccount()
  await announce(withPro({ requestsPerMinute: 300 }))
  await waitUntil('the valid documents apply', async () => (await minuteOf(account)).limit === 300, WITHIN_MS)
  const good = edge.tiers.version
  const deep = JSON.parse('{"a":'.repeat(2_000) + '1' + '}'.repeat(2_000)) as unknown
  const bad: unknown[] = [
    null,
    '',
    {},
    deep,
    { ...testTiers, pro: null },
    withPro({ requestsPerMinute: 0 }),
    withPro({ requestsPerMinute: -1 }),
    withPro({ requestsPerMinute: 1e12 }),
    withPro({ requestsPerMinute: 600_000 }),
    withPro({ requestsPerMinute: 'NaN' as unknown as number }),
    { ...testTiers, metadata: { version: '3.0.0', defaultTrialPeriod: 14 } },
    { ...testTiers, pro: { ...pro, billing: { ...pro.billing, monthlyPrice: 10, yearlyPrice: 121 } } },
  ]
  for (const documents of bad) {
    // The second poll starts only after the first response was processed.
    await announce(documents, 2)
    expect((await minuteOf(account)).limit).toBe(300)
  }
  const { body } = await send<{ tiers: TiersReport }>(`${gateway.url}/readyz`, {})
  expect(body.tiers).toMatchObject({ version: good, origin: 'owner' })
  expect(body.tiers.refused).toBeGreaterThanOrEqual(bad.length)
  const { status } = await send(`${gateway.url}/api/v1/trades/list`, { token: account.apiKey, body: {} })
  expect(status).toBe(200)
  await announce(withPro({ requestsPerMinute: 200 }))
  await waitUntil('the next valid documents apply', async () => (await minuteOf(account)).limit === 200, WITHIN_MS)
})

test('after a trial the account has its previous tier', async () => {
  const account = proAccount()
  const record = edge.subscriptions.get(account.id)
  if (record === undefined) throw new Error('the account has no subscription')
  const expiredTrial = { trial_ends_at: new Date(Date.now() - 1_000).toISOString(), tier_after_trial: 'basic' as const }
  edge.subscriptions.set(account.id, { ...record, ...expiredTrial })
  expect((await minuteOf(account)).limit).toBe(testTiers.basic.rateLimits.requestsPerMinute)
})
