import { randomUUIDv7 } from 'node:crypto'
import type { KeyShadowReport, ShadowedAccount, ShadowReport } from '@tapeline/contracts/audit/shadow'
import type { RateLimits } from '@tapeline/contracts/config/tiers'
import { someUser } from '@tapeline/testing/actors'
import { callAs } from '@tapeline/testing/call-as'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadScripts, redis } from '../../gateway/test/limiter-scripts.fixture.ts'
import { openTestApp } from '../../services/audit/test/app.fixture.ts'
import { recorded } from '../../services/audit/test/record-events.fixture.ts'
import { type JudgedInSql, evaluateShadowInSql } from '../../services/audit/test/shadow-in-sql.fixture.ts'
import { DAY_MS, FROM_MS, LIMITS, RecordedAccount } from './recorded-day.fixture.ts'

// Verdicts of shadow limits from the gateway's script to the report, compared with a second implementation in SQL.

const MONTH = { monthStart: '2023-11-15T00:00:00Z', monthEnd: '2023-12-15T00:00:00Z' }
const STRICT: RateLimits = {
  burstLimit: 3,
  requestsPerMinute: 12,
  requestsPerHour: 70,
  requestsPerDay: 500,
  requestsPerMonth: 300,
  concurrentRequests: 1_000,
}
const GENEROUS: RateLimits = {
  burstLimit: 8,
  requestsPerMinute: 40,
  requestsPerHour: 300,
  requestsPerDay: 4_000,
  requestsPerMonth: 1_000_000,
  concurrentRequests: 1_000,
}
/** Proposed for the key: stricter than its limits in force and in other windows, so that each list decides some requests alone. */
const PROPOSED = { burstLimit: 2, requestsPerMinute: 8, requestsPerHour: 50, requestsPerDay: 90 }
const UNLIMITED = 1e9
const proposals = { strict: randomUUIDv7(), generous: randomUUIDv7(), ofKey: randomUUIDv7() }
const { app, db, close } = await openTestApp(new Date(FROM_MS + 2 * DAY_MS).toISOString())
const admin = someUser({ role: 'admin' })
let account: RecordedAccount
beforeAll(async () => {
  await loadScripts()
  account = await recordTwoProposals()
  await recorded(db, account.events)
})
afterAll(async () => {
  await Promise.all([redis.quit(), close()])
})

/**
 * A day without shadow limits, with strict ones over the end of a month, then with generous ones; and an outage of
 * Redis.
 */
async function recordTwoProposals(): Promise<RecordedAccount> {
  const one = await RecordedAccount.create()
  let [now, seed] = [FROM_MS, 11]
  const random = (below: number) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
    return (seed >>> 8) % below
  }
  const caller = { tier: 'basic', limits: { ...LIMITS, concurrentRequests: 1_000 }, isKeyLimited: false } as const
  let hasBeenOut = false
  while (now < FROM_MS + 30 * 3_600_000) {
    now += random(4) === 0 ? random(300_000) : random(1_200)
    const hours = (now - FROM_MS) / 3_600_000
    if (hours > 1 && one.keyShadow === undefined) one.propose(proposals.ofKey, PROPOSED)
    if (hours > 2) one.shadow = { basic: { id: proposals.strict, since: '', rateLimits: STRICT } }
    if (hours > 24) one.shadow = { basic: { id: proposals.generous, since: '', rateLimits: GENEROUS } }
    await one.send(now, 1 + random(4), { ...caller, isKeyLimited: random(3) === 0 }, random(500))
    if (hours < 10 || hasBeenOut) continue
    hasBeenOut = true
    await one.sendDegraded([now + 500, now + 900], now + 2_000, caller)
    now += 3_000
  }
  return one
}

async function report(proposal: string): Promise<ShadowReport> {
  const url = `/api/v1/admin/limits/shadow/${proposal}?from=2023-11-14T00:00:00Z&to=2023-11-17T00:00:00Z`
  return (await callAs(app, 'audit', admin, { method: 'GET', url })).json().data
}

test.each([
  ['strict', STRICT],
  ['generous', GENEROUS],
] as const)('every verdict of %s limits is that of a count in SQL, and the report is its sum', async (name, limits) => {
  const proposal = proposals[name]
  const judged = await evaluateShadowInSql(
    db,
    { accountId: account.id, proposal, verdict: 'shadow', ...MONTH },
    {
      burst: limits.burstLimit,
      min: limits.requestsPerMinute,
      hour: limits.requestsPerHour,
      day: limits.requestsPerDay,
      month: limits.requestsPerMonth,
    },
  )
  expect(judged).toMatchObject({ differently_named: 0, overfull: 0, reasonless: 0, wrong_waits: 0 })
  const { by, first_at, last_at, ...counts } = judged
  const sums = sumsOf(counts)
  const { would_be_rejected, newly_rejected, newly_admitted } = sums
  const shown = await report(proposal)
  expect(shown).toMatchObject({ accounts: 1, accounts_affected: newly_rejected > 0 ? 1 : 0, ...sums })
  const [row] = shown.rows
  if (row === undefined) throw new Error('no account')
  expect(row).toMatchObject({ account_id: account.id, ...sums, last_at: last_at?.toISOString() })
  expect(Object.fromEntries(row.policies.map(({ policy, requests: n }) => [policy, n]))).toEqual(by)
  expectFirst(row, proposal, first_at)
  expect(row.keys.reduce((sum, key) => sum + key.would_be_rejected, 0)).toBe(would_be_rejected)
  expect(shown.hours.reduce((sum, hour) => sum + hour.would_be_rejected, 0)).toBe(would_be_rejected)
  expect(name === 'strict' ? Object.keys(by) : [newly_admitted]).toHaveLength(name === 'strict' ? 5 : 1)
  expect(Math.min(would_be_rejected, newly_admitted)).toBeGreaterThan(name === 'strict' ? 0 : 20)
})

type Sums = Pick<
  JudgedInSql,
  'requests' | 'rejected' | 'would_be_rejected' | 'newly_rejected' | 'newly_admitted' | 'longest_wait_ms'
>

function sumsOf({
  requests,
  rejected,
  would_be_rejected,
  newly_rejected,
  newly_admitted,
  longest_wait_ms,
}: Sums): Sums {
  return { requests, rejected, would_be_rejected, newly_rejected, newly_admitted, longest_wait_ms }
}

test('every verdict of limits proposed for a key is that of a count in SQL, and the owner’s report is its sum', async () => {
  const proposal = proposals.ofKey
  const { burstLimit: burst, requestsPerMinute: min, requestsPerHour: hour, requestsPerDay: day } = PROPOSED
  const judged = await evaluateShadowInSql(
    db,
    { accountId: account.id, proposal, verdict: 'key_shadow', ...MONTH },
    { burst, min, hour, day, month: UNLIMITED },
  )
  expect(judged).toMatchObject({ differently_named: 0, overfull: 0, reasonless: 0, wrong_waits: 0 })
  const url = `/api/v1/internal/apikeyaudit/key-shadow/${proposal}?from=2023-11-14T00:00:00Z&to=2023-11-17T00:00:00Z`
  const owner = someUser({ userId: account.id })
  const shown: KeyShadowReport = (await callAs(app, 'audit', owner, { method: 'GET', url })).json().data
  expect(shown).toMatchObject({ ...sumsOf(judged), last_at: judged.last_at?.toISOString() })
  expect(Object.fromEntries(shown.policies.map(({ policy, requests: n }) => [policy, n]))).toEqual(judged.by)
  expect(shown.first?.at).toBe(judged.first_at?.toISOString())
  expect(shown.hours.reduce((sum, one) => sum + one.would_be_rejected, 0)).toBe(judged.would_be_rejected)
  const both = account.events.filter(({ data: { decision } }) => decision.shadow && decision.key_shadow)
  const differing = both.filter(({ data: { decision } }) => decision.shadow?.denied_by.length === 0)
  expect(Object.keys(judged.by)).toHaveLength(4)
  expect(Math.min(both.length, differing.length, judged.newly_admitted, judged.newly_rejected)).toBeGreaterThan(10)
})

function expectFirst({ first }: ShadowedAccount, proposal: string, at: Date | null): void {
  const event = account.events.find(({ data }) => data.request_id === first?.request_id)
  expect([event?.time, first?.at]).toEqual([at?.toISOString(), at?.toISOString()])
  expect(event?.data.decision.shadow).toMatchObject({ proposal, denied_by: first?.policies })
}

test('requests without shadow limits, and those decided without Redis, are in no report', async () => {
  const judged = account.events.filter(({ data }) => data.decision.shadow !== undefined)
  const degraded = account.events.filter(({ data }) => data.decision.degraded)
  expect([degraded.length, judged.filter(({ data }) => data.decision.degraded).length]).toEqual([2, 0])
  const reports = [await report(proposals.strict), await report(proposals.generous)]
  expect(reports.map(({ requests }) => requests).reduce((a, b) => a + b)).toBe(judged.length)
  expect(judged.length).toBeLessThan(account.events.length)
})

test('only admins read the report, and only for a valid period', async () => {
  const url = `/api/v1/admin/limits/shadow/${proposals.strict}`
  for (const role of ['user', 'tester'] as const) {
    expect((await callAs(app, 'audit', someUser({ role }), { method: 'GET', url })).statusCode).toBe(403)
  }
  for (const wrong of ['from=2023-11-15T00:00:00Z&to=2023-11-14T00:00:00Z', 'from=2020-11-15T00:00:00Z']) {
    const answer = await callAs(app, 'audit', admin, { method: 'GET', url: `${url}?${wrong}` })
    expect(answer.json()).toMatchObject({ code: 'period.invalid' })
  }
})
