import type { UserActor } from '@tapeline/contracts/actor'
import type { UsageReport } from '@tapeline/contracts/audit/http'
import { POLICIES, type UsageRequestServed } from '@tapeline/contracts/usage/events'
import { someUser } from '@tapeline/testing/actors'
import { streamEvent, usageEvent } from '@tapeline/testing/usage/usage-event'
import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp } from '../../test/app.fixture.ts'
import { recordStreams } from '../live-streams/record-streams.ts'

// The numbers of the dashboard against PostgreSQL, which counts the raw rows with its own time zones.

let app: Awaited<ReturnType<typeof openTestApp>>
beforeAll(async () => (app = await openTestApp('2026-11-05T10:20:30Z')))
afterAll(() => app.close())

const DAY_MS = 86_400_000
/** Of the period and of the one before. */
const DAYS = 61
const PERIOD_DAYS = 30
const ANSWERS = [
  { status: 200, outcome: 'ok', verdict: 'admitted' },
  { status: 404, outcome: 'client_error', verdict: 'admitted' },
  { status: 503, outcome: 'server_error', verdict: 'admitted' },
  { status: 499, outcome: 'aborted', verdict: 'admitted' },
  { status: 429, outcome: 'denied', verdict: 'denied' },
  { status: 403, outcome: 'client_error', verdict: 'refused' },
] as const

/** Numbers from 0 to 1, the same in every run (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Half of the times are at an edge: of a day in the zone, of a UTC day, or of an hour or a minute, and a millisecond beside it. */
function someTime(random: () => number, nowMs: number, timeZone: string): Date {
  const atMs = nowMs - Math.floor(random() ** 2 * DAYS * DAY_MS)
  const here = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(timeZone)
  const edges = [
    here.startOfDay().epochMilliseconds,
    Math.floor(atMs / DAY_MS) * DAY_MS,
    here.round({ smallestUnit: 'hour', roundingMode: 'floor' }).epochMilliseconds,
    (here.getTimeZoneTransition('previous') ?? here).epochMilliseconds,
    nowMs - Math.floor(random() * 3) * PERIOD_DAYS * DAY_MS,
  ]
  const edge = edges[Math.floor(random() * 2 * edges.length)] ?? atMs
  return new Date(Math.min(nowMs, edge < nowMs - DAYS * DAY_MS ? atMs : edge + Math.floor(random() * 3) - 1))
}

function someRequest(random: () => number, account_id: string, at: Date) {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const { verdict, ...answer } = pick(ANSWERS)
  const windows = POLICIES.map((policy) => ({ policy, used: Math.floor(random() * 100), limit: 100 }))
  const decision: UsageRequestServed['decision'] = {
    verdict,
    degraded: false,
    denied_by: [],
    retry_after_ms: 0,
    windows: verdict === 'refused' ? [] : windows,
  }
  const key_id = pick(['session', '0199c4a0-0000-7000-8000-000000000001', '0199c4a0-0000-7000-8000-000000000002'])
  const route = pick(['/api/v1/trades/list', '/api/v1/l2events/list', '/api/v1/instruments'])
  const network = pick(['192.0.2.0/24', '198.51.100.0/24', '2001:db8::/48'])
  return usageEvent({ account_id, at, ...answer, decision, key_id, route, network })
}

async function recordTraffic(actor: UserActor, seed: number): Promise<void> {
  const random = randomNumbers(seed)
  const times = Array.from({ length: 300 }, () => someTime(random, app.clock.nowMs, actor.timeZone))
  const kept = times.filter((time) => time.getTime() > app.clock.nowMs - (DAYS - 1) * DAY_MS)
  const events = kept.map((at) => someRequest(random, actor.userId, at))
  for (let n = 0; n < events.length; n += 150) await app.record(...events.slice(n, n + 150))
  const streams = kept
    .slice(0, 200)
    .map((at) =>
      streamEvent({ account_id: actor.userId, at, opened: random() < 0.3, messages: Math.floor(random() * 100) }),
    )
  await app.db.transaction().execute((trx) => recordStreams(app.deps, trx, streams))
}

const COUNTS = sql`count(*)::int as total, count(*) filter (where outcome = 'ok')::int as success,
  count(*) filter (where outcome <> 'ok')::int as failed, count(*) filter (where outcome = 'denied')::int as denied,
  count(*) filter (where outcome = 'client_error')::int as client_errors,
  count(*) filter (where outcome = 'server_error')::int as server_errors`

type Counted = Record<string, unknown>

/** Counts by SQL over the rows of an account, by an expression. */
async function countBySql(actor: UserActor, by: RawBuilder<unknown>, from: string, to: string): Promise<Counted[]> {
  const { rows } = await sql<Counted>`
    select ${by} as key, ${COUNTS} from logged_request
    where account_id = ${actor.userId}::uuid and time >= ${from}::timestamptz and time < ${to}::timestamptz
    group by 1 order by 1`.execute(app.db)
  return rows
}

async function reportOf(actor: UserActor, path: string): Promise<UsageReport> {
  const reply = await app.get(actor, `apikeyaudit/${path}`)
  expect(reply.json()).toEqual(expect.objectContaining({ success: true }))
  return reply.json().data
}

const countsOf = ({ total, success, failed, denied, client_errors, server_errors }: UsageReport['rows'][number]) => ({
  total,
  success,
  failed,
  denied,
  client_errors,
  server_errors,
})
const keyed = (rows: UsageReport['rows']) =>
  rows.map((row) => ({ key: row.key, ...countsOf(row) })).toSorted((a, b) => (a.key < b.key ? -1 : 1))
const inOrder = (rows: Counted[]) => rows.toSorted((a, b) => (String(a['key']) < String(b['key']) ? -1 : 1))

const ZONES = [
  ['America/New_York', '2026-03-10T03:59:59.999Z'],
  ['Asia/Kolkata', '2026-03-31T18:29:59Z'],
  ['Australia/Lord_Howe', '2026-04-10T13:31:00Z'],
] as const

test.each(ZONES.map(([zone, at], n) => [zone, at, n] as const))(
  'in %s at %s every number is what SQL counts',
  async (timeZone, at, n) => {
    app.clock.nowMs = Date.parse(at)
    const actor = { ...someUser({ tier: 'pro' }), timeZone }
    await recordTraffic(actor, 1_000 + n)
    const end = new Date(app.clock.nowMs + 1).toISOString()
    const day = sql`to_char(time at time zone ${timeZone}, 'YYYY-MM-DD')`
    const report = await reportOf(actor, 'dashboard-metrics?period=30d')
    const { from } = report.period
    const days = report.series.filter(({ total }) => total > 0)
    expect(
      days.map((one) => ({ key: one.from.slice(0, 10), ...countsOf({ ...one, key: '', last_at: null }) })),
    ).toEqual(await countBySql(actor, day, from, end))
    const groupings = [
      ['endpoint', sql`route`],
      ['key', sql`key_id`],
      ['status', sql`status::text`],
      ['outcome', sql`outcome`],
      ['network', sql`network`],
      ['hour', sql`to_char(time at time zone ${timeZone}, 'HH24')`],
    ] as const
    for (const [groupBy, by] of groupings) {
      const { rows, total } = await reportOf(actor, `usage-breakdown?period=30d&groupBy=${groupBy}`)
      expect({ groupBy, rows: keyed(rows) }).toEqual({
        groupBy,
        rows: inOrder(await countBySql(actor, by, from, end)),
      })
      expect(total).toBe(report.total)
    }
    const before = new Date(Date.parse(from) - PERIOD_DAYS * DAY_MS).toISOString()
    const [previous] = await countBySql(actor, sql`''`, before, from)
    expect(report.previous?.total).toBe(previous?.['total'] ?? 0)
    expect(await peaksBySql(actor, from, end)).toEqual(
      Object.fromEntries(report.limits.map(({ policy, peak }) => [policy, peak])),
    )
    expect(report.streams?.series.filter(({ messages }) => messages > 0).map(({ messages }) => messages)).toEqual(
      await messagesBySql(actor, timeZone, from, end),
    )
  },
)

async function peaksBySql({ userId }: UserActor, from: string, to: string) {
  const { rows } = await sql<{ policy: string; peak: number }>`
    select w ->> 'policy' as policy, max((w ->> 'used')::int) as peak
    from logged_request, jsonb_array_elements(decision -> 'windows') w
    where account_id = ${userId}::uuid and time >= ${from}::timestamptz and time < ${to}::timestamptz
    group by 1`.execute(app.db)
  return Object.fromEntries(rows.map(({ policy, peak }) => [policy, peak]))
}

async function messagesBySql({ userId }: UserActor, timeZone: string, from: string, to: string) {
  const { rows } = await sql<{ messages: number }>`
    select sum(messages)::int as messages, to_char(time at time zone ${timeZone}, 'YYYY-MM-DD') as day from usage_stream
    where account_id = ${userId}::uuid and time >= ${from}::timestamptz and time < ${to}::timestamptz
    group by day having sum(messages) > 0 order by day`.execute(app.db)
  return rows.map(({ messages }) => messages)
}
