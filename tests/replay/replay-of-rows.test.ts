import type { LimitsReplay } from '@tapeline/contracts/audit/replay'
import type { Actor } from '@tapeline/contracts/actor'
import { someUser } from '@tapeline/testing/actors'
import { callAs } from '@tapeline/testing/call-as'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadScripts, redis } from '../../gateway/test/limiter-scripts.fixture.ts'
import { openTestApp } from '../../services/audit/test/app.fixture.ts'
import {
  countRecorded,
  highestRecorded,
  countWrong,
  type Redecision,
} from '../../services/audit/test/replay-in-sql.fixture.ts'
import { recorded } from '../../services/audit/test/record-events.fixture.ts'
import { findReplay } from '../../services/audit/src/replay/replay-queries.ts'
import { replayAccount } from '../../services/audit/src/replay/run-replay.ts'
import { DAY_MS, FROM_MS, recordTwoDays, type RecordedAccount } from './recorded-day.fixture.ts'

const { app, db, deps, close } = await openTestApp(new Date(FROM_MS + 2 * DAY_MS).toISOString())
const admin = someUser({ role: 'admin' })
let account: RecordedAccount
beforeAll(async () => {
  await loadScripts()
  account = await recordTwoDays(true)
  await recorded(db, account.events)
})
afterAll(async () => {
  await Promise.all([redis.quit(), close()])
})

const REPLAY = '/api/v1/admin/limits/replay'
const call = (actor: Actor, method: 'GET' | 'POST', path: string, body?: unknown) =>
  callAs(app, 'audit', actor, { method, url: `${REPLAY}${path}`, body })
const period = { from: new Date(FROM_MS).toISOString(), to: new Date(FROM_MS + DAY_MS).toISOString() }

async function replay(rateLimits: Record<string, number>): Promise<LimitsReplay> {
  const started = await call(admin, 'POST', '', { tier: { name: 'basic', rateLimits }, ...period })
  expect(started.statusCode).toBe(202)
  const { id } = started.json().data
  await waitUntil('the replay is done', async () => (await findReplay(db, id))?.state === 'done', 60_000)
  return (await call(admin, 'GET', `/${id}`)).json().data
}

test('a replay with the unchanged tier reproduces every recorded decision of the rows', async () => {
  const { result, progress } = await replay({})
  const { requests, rejected } = await countRecorded(db, 'basic', period)
  expect(progress).toBe(1)
  expect(result).toMatchObject({
    accounts: 1,
    requests,
    rejected,
    would_be_rejected: rejected,
    newly_rejected: 0,
    newly_admitted: 0,
    check: { different: 0, degraded: 40 },
  })
  const used = await highestRecorded(db, 'basic', period)
  expect(result?.highest).toEqual({
    burstLimit: used.get('burst'),
    requestsPerMinute: used.get('min'),
    requestsPerHour: used.get('hour'),
    requestsPerDay: used.get('day'),
    requestsPerMonth: used.get('month'),
    concurrentRequests: used.get('conc'),
  })
  expect(rejected).toBeGreaterThan(50)
  expect(result?.check.same).toBeGreaterThan(300)
})

test('a replay with smaller limits agrees with a count in SQL', async () => {
  // Only these four windows can bind.
  const limits = { burstLimit: 2, requestsPerMinute: 12, requestsPerHour: 120, requestsPerDay: 900 }
  const unlimited = { requestsPerMonth: 1_000_000, concurrentRequests: 1_000 }
  const { id, result } = await replay({ ...limits, ...unlimited })
  const row = await findReplay(db, id)
  if (row === undefined) throw new Error('no replay')
  const decided: Redecision[] = []
  let byKey = 0
  await replayAccount(deps, row, account.id, ({ requestId, timeMs, isDegraded }, { isAdmitted, mask }) => {
    decided.push({ request_id: requestId, time_ms: timeMs, admitted: isAdmitted, is_degraded: isDegraded })
    if (mask >= 64 && (mask & 63) === 0) byKey += 1
  })
  const counts = { burst: 2, min: 12, hour: 120, day: 900 }
  const wrong = await countWrong(db, { accountId: account.id, from: period.from, decided }, counts)
  expect(wrong).toEqual({ overfull: 0, reasonless: byKey })
  expect(decided.filter(({ admitted }) => !admitted)).toHaveLength(result?.would_be_rejected ?? -1)
  expect(result?.newly_rejected).toBeGreaterThan(100)
  const [affected] = result?.rows ?? []
  const first = decided.find(({ request_id: one, admitted }) => !admitted && isAdmittedInRecord(one))
  expect(affected?.first?.request_id).toBe(first?.request_id)
})

function isAdmittedInRecord(requestId: string): boolean {
  return account.events.some(({ data }) => data.request_id === requestId && data.decision.verdict === 'admitted')
}

test('only admins replay limits, over a past period of at most 31 days', async () => {
  const body = { tier: { name: 'basic', rateLimits: {} }, ...period }
  for (const role of ['user', 'tester'] as const) {
    expect((await call(someUser({ role }), 'POST', '', body)).statusCode).toBe(403)
    expect((await call(someUser({ role }), 'GET', `/${crypto.randomUUID()}`)).statusCode).toBe(403)
  }
  const future = new Date(FROM_MS + 3 * DAY_MS).toISOString()
  for (const wrong of [{ to: period.from }, { to: future }, { from: '2023-01-01T00:00:00Z' }]) {
    expect((await call(admin, 'POST', '', { ...body, ...wrong })).json()).toMatchObject({ code: 'period.invalid' })
  }
  const unknown = await call(admin, 'GET', `/${crypto.randomUUID()}`)
  expect(unknown.json()).toMatchObject({ code: 'replay.not_found' })
})
