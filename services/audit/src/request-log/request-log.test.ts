import { POLICIES } from '@tapeline/contracts/usage/events'
import { someUser } from '@tapeline/testing/actors'
import { PROPERTY_SEED } from '@tapeline/testing/property-seed'
import { usageEvent } from '@tapeline/testing/usage/usage-event'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { openTestApp } from '../../test/app.fixture.ts'
import { anyDecision, anyRejectedFields, count } from '../../test/decisions.fixture.ts'
import { decodeDecision, encodeDetail, type StoredDetail } from './encode-detail.ts'
import { numbersOf } from './dictionaries.ts'
import { kindOf } from './request-kind.ts'

const { db, record, get, ago, close } = await openTestApp('2026-03-10T12:34:56.789Z')
afterAll(close)

test('a request is read as it was recorded: by this service, and by PostgreSQL with its own decoder', async () => {
  await fc.assert(
    fc.asyncProperty(
      anyDecision,
      fc.option(count),
      fc.option(fc.nat()),
      anyRejectedFields,
      async (one, upstreamUs, rowsReturned, fields) => {
        const event = usageEvent({
          at: ago(1),
          decision: one,
          upstream_latency_us: upstreamUs,
          rows_returned: rowsReturned,
          ...(fields === undefined ? {} : { rejected_fields: fields }),
        })
        await record(event)
        const { rows } = await sql<StoredDetail & Record<string, unknown>>`
        select r.*, l.decision as decision_in_view from request_log_row r join logged_request l using (id)
        where id = ${event.id}::uuid`.execute(db)
        const [row] = rows
        if (row === undefined) throw new Error('the request was not recorded')
        expect(decodeDecision(row)).toEqual(one)
        expect(row.decision).toEqual(one)
        expect(row.decision_in_view).toEqual(one)
        expect(row).toMatchObject({
          id: event.id,
          request_id: event.data.request_id,
          time: new Date(event.time),
          account_id: event.data.account_id,
          upstream_latency_us: upstreamUs === null ? null : String(upstreamUs),
          rows_returned: rowsReturned === null ? null : String(rowsReturned),
          rejected_fields: fields ?? null,
          kid: null,
          gateway_id: 'gw-test',
        })
      },
    ),
    { seed: PROPERTY_SEED, numRuns: 60 },
  )
})

test('a truncated detail is an error, not a different decision', () => {
  const { data } = usageEvent({
    decision: {
      verdict: 'admitted',
      degraded: false,
      denied_by: [],
      retry_after_ms: 0,
      windows: [{ policy: 'min', used: 700, limit: 1_000, reset_ms: 900 }],
    },
  })
  const detail = encodeDetail(data)
  const stored = { ...kindOf(data), detail }
  expect(decodeDecision(stored)).toEqual(data.decision)
  for (let length = 1; length < detail.length; length += 1) {
    expect(() => decodeDecision({ ...stored, detail: detail.subarray(0, length) })).toThrow('too short')
  }
})

test('equal requests share dictionary entries, also when processes add them at the same time', async () => {
  const account_id = crypto.randomUUID()
  const requests = [
    usageEvent({ account_id, route: '/new', key_id: 'a-key', kid: 'kid-1', gateway_id: 'gw-new' }).data,
    usageEvent({ account_id, route: '/new', key_id: 'a-key', kid: null, gateway_id: 'gw-new' }).data,
    usageEvent({ account_id, route: '/new', key_id: 'a-key', kid: 'kid-1', gateway_id: 'gw-new', status: 404 }).data,
  ]
  // A separate Kysely instance has its own cache, like a separate process.
  const processes = [db, db.withTables(), db.withTables(), db.withTables()]
  const found = await Promise.all(processes.map((one) => numbersOf(one, requests)))
  expect(found).toEqual(processes.map(() => found[0]))
  const [first, second, third] = found[0] ?? []
  expect(second).toEqual({ ...first, key: second?.key })
  expect(third).toEqual({ ...first, kind: third?.kind })
  expect(new Set([first?.key, second?.key]).size).toBe(2)
  expect(await numbersOf(db, requests)).toEqual(found[0])
  const { rows } = await sql<{ n: string }>`
    select (select count(*) from request_kind where route = '/new') + (select count(*) from request_key where key_id = 'a-key')
      + (select count(*) from request_gateway where gateway_id = 'gw-new') as n`.execute(db)
  expect(rows[0]?.n).toBe('5')
})

test('requests that a previous release recorded are listed, found and summed together with new ones', async () => {
  const actor = someUser()
  const [before, after] = [ago(20), ago(10)].map((at) => usageEvent({ account_id: actor.userId, at }))
  if (before === undefined || after === undefined) throw new Error('there are two')
  await record(after)
  await sql`create table if not exists usage_event_20260310 partition of usage_event
    for values from ('2026-03-10T00:00:00Z') to ('2026-03-11T00:00:00Z')`.execute(db)
  const { data } = before
  await sql`
    insert into usage_event (id, time, account_id, key_id, tier, method, route, status, outcome, verdict, decision, latency_us,
      bytes_in, bytes_out, gateway_id, request_id, network)
    values (${before.id}, ${before.time}::timestamptz, ${actor.userId}, 'session', 'free', 'POST', ${data.route}, 200, 'ok',
      'admitted', ${JSON.stringify(data.decision)}, 4000, 1, 1, 'gw-before', ${data.request_id}, '192.0.2.0/24')`.execute(
    db,
  )
  const list = async (query: string): Promise<string[]> =>
    (await get(actor, `requests?${query}`)).json().data.requests.map(({ id }: { id: string }) => id)
  expect(await list('limit=10')).toEqual([after.id, before.id])
  expect(await list(`requestId=${data.request_id}`)).toEqual([before.id])
  for (const id of [before.id, data.request_id]) {
    expect((await get(actor, `requests/${id}`)).json().data).toMatchObject({ id: before.id, gateway_id: 'gw-before' })
  }
})

test('a row takes at most 300 bytes with its indexes', async () => {
  const accounts = Array.from({ length: 50 }, () => ({
    account_id: crypto.randomUUID(),
    key_id: crypto.randomUUID(),
    kid: 'abcdefghijkl',
  }))
  const events = Array.from({ length: 20_000 }, (_, n) =>
    usageEvent({
      ...accounts[n % accounts.length],
      at: new Date(Date.parse('2026-02-20T00:00:00Z') + n),
      decision: {
        verdict: 'admitted',
        degraded: false,
        denied_by: [],
        retry_after_ms: 0,
        windows: POLICIES.map((policy, at) => ({
          policy,
          used: n % 20_000,
          limit: 10 ** (at + 1),
          reset_ms: (n * 37) % 10 ** (at + 3),
        })),
      },
    }),
  )
  for (let at = 0; at < events.length; at += 1_000) await record(...events.slice(at, at + 1_000))
  const { rows } = await sql<{ bytes: string }>`
    select pg_total_relation_size('request_log_20260220') / 20000 as bytes`.execute(db)
  expect(Number(rows[0]?.bytes)).toBeLessThanOrEqual(300)
})
