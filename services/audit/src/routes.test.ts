import type { Event } from '@tapeline/contracts/event'
import type { UsageReport } from '@tapeline/contracts/audit/http'
import type { UsageRequestServed } from '@tapeline/contracts/usage/events'
import type { Actor, UserActor } from '@tapeline/contracts/actor'
import { fixedSettings } from '@tapeline/service/platform-settings'
import { someUser } from '@tapeline/testing/actors'
import { callAs, testInternalKeys } from '@tapeline/testing/call-as'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { afterAll, expect, test } from 'vitest'
import { createApp } from './app.ts'
import { testIds } from '../test/ids.fixture.ts'
import { unavailableLimiter } from '../test/limiter.fixture.ts'
import { testSubscription } from '../test/plans.fixture.ts'
import { testWebhooks } from '../test/webhooks.fixture.ts'
import { migrations } from './migrations/all.ts'
import { raiseCompleteUntil } from './ingest/progress-queries.ts'
import { recordUsage } from './ingest/record-usage.ts'
import { deniedUsageEvent, usageEvent } from '@tapeline/testing/usage/usage-event'
import type { Tables } from './tables.ts'

const { db, drop } = await openTestDatabase<Tables>(migrations)
const NOW = new Date('2026-03-10T12:34:56.789Z')
const ownKeys = new Set<string>()
let isApiKeyUnavailable = false
const deps = {
  db,
  jobsDb: db,
  now: () => NOW,
  ...testIds,
  retention: { rowDays: 90 },
  settings: fixedSettings(),
  limiter: unavailableLimiter,
  ...testWebhooks,
  readSubscription: testSubscription,
  ownsKey: async (actor: UserActor, keyId: string) =>
    isApiKeyUnavailable ? undefined : ownKeys.has(`${actor.userId}/${keyId}`),
}
const app = await createApp(deps, {
  logger: silentLogger,
  internalKeys: testInternalKeys,
  checks: { database: async () => {} },
})
afterAll(async () => {
  await app.close()
  await drop()
})

const AUDIT = '/api/v1/internal/apikeyaudit'
const MINUTE_MS = 60_000
const ago = (minutes: number) => new Date(NOW.getTime() - minutes * MINUTE_MS)
const record = (...events: Event<UsageRequestServed>[]) =>
  db.transaction().execute((trx) => recordUsage({ db, now: () => new Date() }, trx, events))
const get = (actor: Actor, url: string) => callAs(app, 'audit', actor, { method: 'GET', url })

async function reportFor(actor: UserActor, call: string): Promise<UsageReport> {
  const answer = await get(actor, `${AUDIT}/${call}`)
  expect(answer.json()).toMatchObject({ success: true })
  return answer.json().data
}

test('an account without requests gets zeros and the whole series', async () => {
  const report = await reportFor(someUser({ tier: 'pro' }), 'dashboard-metrics')
  expect(report).toMatchObject({ total: 0, failed: 0, latency_ms: null, rows: [], limits: [], locked: [] })
  expect(report.series).toHaveLength(169)
  expect(report.series.every(({ total }) => total === 0)).toBe(true)
  const [from, to] = ['2026-03-03T12:34:00.000+00:00', '2026-03-10T12:34:56.789+00:00']
  expect(report.period).toEqual({ from, to, tz: 'UTC', bucket: 'hour' })
})

test('every outcome is counted separately, and failed is all except success', async () => {
  const actor = someUser({ tier: 'pro' })
  const own = { account_id: actor.userId, at: ago(5) }
  await record(
    usageEvent(own),
    usageEvent(own),
    usageEvent({ ...own, status: 400, outcome: 'client_error' }),
    usageEvent({ ...own, status: 502, outcome: 'server_error' }),
    usageEvent({ ...own, status: 499, outcome: 'aborted' }),
    deniedUsageEvent(own),
  )
  const counts = { total: 6, success: 2, failed: 4, denied: 1, client_errors: 1, server_errors: 1 }
  const report = await reportFor(actor, 'dashboard-metrics?period=1h')
  expect(report).toMatchObject(counts)
  expect(report.series).toHaveLength(61)
  expect(report.series.at(-6)).toMatchObject({ ...counts, from: '2026-03-10T12:29:00.000+00:00' })
  expect(report.series.reduce((sum, { total }) => sum + total, 0)).toBe(6)
})

test.each(['1h', '24h', '7d', '30d', '90d'])('the current minute is in the last bucket of %s', async (period) => {
  const actor = someUser()
  await record(usageEvent({ account_id: actor.userId, at: NOW }))
  const report = await reportFor(actor, `dashboard-metrics?period=${period}`)
  expect(report.total).toBe(1)
  expect(report.series.at(-1)).toMatchObject({ total: 1, to: report.period.to })
})

test('percentiles are within one percent, of the answered requests only', async () => {
  const actor = someUser({ tier: 'basic' })
  const latencies = Array.from({ length: 1_000 }, (_, n) => 1_000 + 37 * n)
  await record(
    ...latencies.map((latency_us) => usageEvent({ account_id: actor.userId, at: ago(3), latency_us })),
    ...latencies.map(() => deniedUsageEvent({ account_id: actor.userId, at: ago(3), latency_us: 50 })),
  )
  const { latency_ms } = await reportFor(actor, 'dashboard-metrics?period=24h')
  for (const [name, quantile] of [
    ['p50', 0.5],
    ['p95', 0.95],
    ['p99', 0.99],
  ] as const) {
    const exactMs = (latencies[Math.floor(quantile * 999)] ?? 0) / 1_000
    expect(Math.abs((latency_ms?.[name] ?? 0) - exactMs) / exactMs).toBeLessThan(0.0101)
  }
})

test('without the feature counts, series, limits and keys are included, and the rest is locked', async () => {
  const actor = someUser({ tier: 'free' })
  await record(usageEvent({ account_id: actor.userId, at: ago(1) }))
  const metrics = await reportFor(actor, 'dashboard-metrics')
  expect(metrics).toMatchObject({ total: 1, latency_ms: null, rows: [] })
  expect(metrics.locked.map(({ feature, tier }) => `${feature} ${tier}`)).toEqual([
    'basicAnalytics basic',
    'advancedAnalytics pro',
  ])
  expect((await reportFor(actor, 'usage-breakdown?groupBy=status')).rows).toEqual([])
  expect((await reportFor(actor, 'usage-breakdown?groupBy=key')).rows).toMatchObject([{ key: 'session', total: 1 }])
  expect((await reportFor(actor, 'api-key-usage')).rows).toMatchObject([{ key: 'session', total: 1, latency_ms: null }])
})

test("usage by key includes each key's last use, ordered by requests", async () => {
  const actor = someUser()
  const [busy, idle] = [crypto.randomUUID(), crypto.randomUUID()]
  const used = (key_id: string, minutes: number) => usageEvent({ account_id: actor.userId, key_id, at: ago(minutes) })
  await record(used(idle, 60), used(busy, 90), used(busy, 30), used(busy, 45))
  const all = await reportFor(actor, 'api-key-usage')
  expect(all.series).toHaveLength(31)
  expect(all.rows.map(({ key, total, last_at }) => ({ key, total, last_at }))).toEqual([
    { key: busy, total: 3, last_at: ago(30).toISOString() },
    { key: idle, total: 1, last_at: ago(60).toISOString() },
  ])
  expect(await reportFor(actor, `api-key-usage?apiKeyId=${idle}`)).toMatchObject({ total: 1, rows: [{ key: idle }] })
})

test('a breakdown has a row per endpoint, status or outcome', async () => {
  const actor = someUser({ tier: 'pro' })
  const own = { account_id: actor.userId, at: ago(1) }
  await record(
    usageEvent(own),
    usageEvent({ ...own, route: '/api/v1/instruments' }),
    usageEvent(own),
    deniedUsageEvent(own),
  )
  const keysOf = async (groupBy: string) =>
    (await reportFor(actor, `usage-breakdown?groupBy=${groupBy}`)).rows.map(({ key, total }) => `${key} ${total}`)
  expect(await keysOf('endpoint')).toEqual(['/api/v1/trades/list 3', '/api/v1/instruments 1'])
  expect(await keysOf('status')).toEqual(['200 3', '429 1'])
  expect(await keysOf('outcome')).toEqual(['ok 3', 'denied 1'])
  const trades = await reportFor(actor, 'dashboard-metrics?route=%2Fapi%2Fv1%2Ftrades%2Flist')
  expect(trades).toMatchObject({ total: 3, denied: 1 })
})

test('limits are those of the latest request, with the peak of the period over all keys', async () => {
  const actor = someUser()
  const decided = (minutes: number, used: number) => {
    const event = usageEvent({ account_id: actor.userId, at: ago(minutes) })
    event.data.decision.windows = [
      { policy: 'conc', used: 1, limit: 1 },
      { policy: 'min', used, limit: 10 },
    ]
    return event
  }
  await record(decided(3 * 1_440, 10), decided(30, 8), decided(10, 4))
  const { limits } = await reportFor(actor, 'dashboard-metrics?period=24h')
  expect(limits).toEqual([
    { policy: 'min', used: 4, limit: 10, peak: 8, at: ago(10).toISOString() },
    { policy: 'conc', used: 1, limit: 1, peak: 1, at: ago(10).toISOString() },
  ])
  expect((await reportFor(actor, 'dashboard-metrics')).limits[0]).toMatchObject({ peak: 10 })
})

test("another account's requests are not visible, and its key looks like one that does not exist", async () => {
  const [owner, otherUser] = [someUser(), someUser()]
  const keyId = crypto.randomUUID()
  await record(usageEvent({ account_id: owner.userId, key_id: keyId, at: ago(1) }))
  expect((await reportFor(owner, `dashboard-metrics?apiKeyId=${keyId}`)).total).toBe(1)
  for (const key of [keyId, crypto.randomUUID(), 'no-key', '../user/details']) {
    const answer = await get(otherUser, `${AUDIT}/api-key-usage?apiKeyId=${encodeURIComponent(key)}`)
    expect(answer.json()).toMatchObject({ status: 404, code: 'api_key.not_found' })
  }
  isApiKeyUnavailable = true
  expect((await reportFor(otherUser, `api-key-usage?apiKeyId=${keyId}`)).total).toBe(0)
  isApiKeyUnavailable = false
})

test('a key of the caller that was never used has zeros', async () => {
  const actor = someUser()
  const keyId = crypto.randomUUID()
  ownKeys.add(`${actor.userId}/${keyId}`)
  expect((await reportFor(actor, `api-key-usage?apiKeyId=${keyId}`)).total).toBe(0)
  expect((await reportFor(actor, 'api-key-usage?apiKeyId=session')).total).toBe(0)
})

test('a report includes the time until which it is complete, never later than now', async () => {
  const report = () => reportFor(someUser(), 'dashboard-metrics')
  expect((await report()).as_of).toBe('2026-03-03T12:34:00.000Z')
  await raiseCompleteUntil(db, 'usage', ago(2))
  await raiseCompleteUntil(db, 'usage', ago(4))
  expect((await report()).as_of).toBe(ago(2).toISOString())
  await raiseCompleteUntil(db, 'usage', ago(-1))
  expect((await report()).as_of).toBe(NOW.toISOString())
})

test('the limiter is seeded with allowed requests only, per minute of its day and since the month began', async () => {
  const accountId = crypto.randomUUID()
  const own = { account_id: accountId }
  await record(
    usageEvent({ ...own, at: ago(1) }),
    usageEvent({ ...own, at: ago(1) }),
    deniedUsageEvent({ ...own, at: ago(1) }),
    usageEvent({ ...own, at: ago(24 * 60 + 14) }),
    usageEvent({ ...own, at: ago(24 * 60 + 17) }),
    usageEvent({ ...own, at: new Date('2026-02-27T23:59:59.999Z') }),
    usageEvent({ ...own, at: new Date('2026-02-28T00:00:00Z') }),
  )
  const seeds = `/internal/seeds/${accountId}?month_start=2026-02-28T00:00:00Z`
  const answer = await get({ kind: 'service', service: 'gateway' }, seeds)
  const minuteOf = (minutes: number) => Math.floor(ago(minutes).getTime() / MINUTE_MS)
  expect(answer.json()).toMatchObject({
    minutes: [
      [minuteOf(24 * 60 + 14), 1],
      [minuteOf(1), 2],
    ],
    month: 5,
  })
  const keyId = crypto.randomUUID()
  await record(usageEvent({ ...own, key_id: keyId, at: ago(3) }))
  const ofKey = await get({ kind: 'service', service: 'gateway' }, `${seeds}&key_id=${keyId}`)
  expect(ofKey.json()).toMatchObject({ minutes: [[minuteOf(3), 1]], month: 1 })
  const ofUnknown = await get({ kind: 'service', service: 'gateway' }, `${seeds}&key_id=${crypto.randomUUID()}`)
  expect(ofUnknown.json()).toMatchObject({ minutes: [], month: 0 })
  expect((await get(someUser(), seeds)).statusCode).toBe(404)
  expect((await get({ kind: 'service', service: 'gateway' }, `/internal/seeds/x?month_start=now`)).statusCode).toBe(400)
})

test('an API key cannot call these routes, and a visitor gets a 401', async () => {
  const withKey = someUser({ keyId: crypto.randomUUID() })
  expect((await get(withKey, `${AUDIT}/dashboard-metrics`)).statusCode).toBe(403)
  expect((await get({ kind: 'anonymous' }, `${AUDIT}/dashboard-metrics`)).statusCode).toBe(401)
})
