import type { KeyRecord } from '@tapeline/contracts/api-key/key-record'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { testServers } from '@tapeline/testing/test-servers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { AccountCounters } from './account-counters.ts'
import { compilePlan } from './account-plan.ts'
import { compileCaps } from './key-caps.ts'
import { admitted, decide, KEY_ID, loadScripts, newAccount, redis } from '../../test/limiter-scripts.fixture.ts'
import { storeReady } from './redis/limiter-store.ts'
import { LimiterMaintenance } from './limiter-maintenance.ts'
import { monthPeriodAt } from '@tapeline/contracts/config/month-period'
import { openLimiterStore } from './redis/open-limiter-store.ts'
import { testTiers } from '../../test/tiers.fixture.ts'

const DAY_MS = 86_400_000
const USED = 40
const limits = [99, 99, 9_999, 9_999, 50, 99]
const anchor = new Date('2026-01-01T00:00:00Z')
const subscription = { version: 1, tier: 'pro', anchor: anchor.toISOString(), trial_ends_at: null } as const

const store = await openLimiterStore(testServers().redisUrl, silentLogger)
const maintenance = new LimiterMaintenance({
  store,
  /** USED requests in this month, and ten more in the one before. */
  async fetchSeed(_accountId, monthStartS) {
    const nowMs = Date.now()
    const { startS } = monthPeriodAt(anchor, nowMs)
    const month = monthStartS > startS ? 0 : monthStartS === startS ? USED : USED + 10
    return { as_of: new Date(nowMs).toISOString(), minutes: [], month }
  },
  logger: silentLogger,
  processTag: crypto.randomUUID(),
  gatewaysExpected: 1,
  isUp: () => true,
  connectedSinceMs: () => 0,
})

beforeAll(async () => {
  await loadScripts()
  await storeReady(store, 60_000)
})
afterAll(async () => {
  await maintenance.stop()
  store.disconnect()
  redis.disconnect()
})

/** A gateway whose clock is off, and an account whose counters Redis has lost. */
async function lostAccount(clockMs: number) {
  const account = newAccount()
  const { id } = account
  const counters = new AccountCounters(id)
  const rate_limits = testTiers.pro.rateLimits
  const record = { account_id: id, ...subscription, rate_limits, time_zone: 'UTC' }
  const plan = compilePlan(record, testTiers, clockMs)
  return { counters, plan, account }
}

/** The periods that a gateway sends, by its own clock. */
function monthAt(clockMs: number): [number, number, number] {
  const { startS, endS, followingEndS } = monthPeriodAt(anchor, clockMs)
  return [startS, endS, followingEndS]
}

test.each([
  ['past the end of the month', 40 * DAY_MS],
  ['right', 0],
  ['before the start of the month', -40 * DAY_MS],
])('lost counters have the month that Redis is in, also when the gateway’s clock is %s', async (_name, offMs) => {
  const nowMs = Date.now()
  const { counters, plan, account } = await lostAccount(nowMs + offMs)
  const ticket = (await decide(account, { now: nowMs }))[2] ?? 0
  const versions = { user: 1, subscription: 1, kid: 'x', key: 1, ticket }
  expect(await maintenance.seed(counters, plan, versions)).toBe(true)
  const byThisGateway = await decide(account, { limits, requested: 3, now: nowMs + 1, month: monthAt(nowMs + offMs) })
  expect([admitted(byThisGateway), byThisGateway[9]]).toEqual([3, USED])
  const byAnother = await decide(account, { limits, requested: 20, now: nowMs + 2, month: monthAt(nowMs) })
  expect([admitted(byAnother), byAnother[9]]).toEqual([7, USED + 3])
})

test.each([
  ['past the end of the month', 40 * DAY_MS],
  ['before the start of the month', -40 * DAY_MS],
])('the counters of a key have the month that Redis is in when the gateway’s clock is %s', async (_name, offMs) => {
  const nowMs = Date.now()
  const { counters, plan, account } = await lostAccount(nowMs + offMs)
  await redis.hset(counters.keys.account, { u: '1', s: '1', 'k:x': '1', g: '1' })
  const record: KeyRecord = {
    kid: 'x',
    key_id: KEY_ID,
    account_id: counters.accountId,
    version: 1,
    secret_sha256: '',
    state: 'active',
    environment: 'live',
    scopes: [],
    networks: [],
    rate_limits: { requestsPerMonth: 50 },
    expires_at_ms: null,
  }
  const caps = compileCaps(record)
  if (caps === undefined) throw new Error('the key has no caps')
  expect(await maintenance.seedKey(counters, plan, caps)).toBe(true)
  const reply = await decide(account, { caps: limits, requested: 20, now: nowMs + 1, month: monthAt(nowMs) })
  expect(admitted(reply)).toBe(50 - USED)
})
