import { createHash } from 'node:crypto'
import type { SignedStatement, StatementProof } from '@tapeline/contracts/audit/statements'
import { someUser } from '@tapeline/testing/actors'
import { usageEvent } from '@tapeline/testing/usage/usage-event'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestApp } from '../../test/app.fixture.ts'
import { createSigner } from '../evidence/signatures.ts'
import { recordUsage } from '../ingest/record-usage.ts'
import { ensureDays } from '../rollups/ensure-days.ts'
import { closeHours } from './close-hours.ts'
import { issueStatements } from './issue-statements.ts'
import { proofFault, statementFault } from './verify-statement.ts'

type App = Awaited<ReturnType<typeof openTestApp>>
let app: App
const actor = someUser()
const HOUR_MS = 3_600_000

beforeEach(async () => {
  app = await openTestApp('2026-03-31T23:59:30.000Z')
  await sql`insert into usage_progress (topic, complete_until, checked_until)
    values ('usage', '2026-04-02', '2026-03-31T23:00:00Z')`.execute(app.db)
})
afterEach(() => app.close())

const ROUTES = ['/api/v1/trades/list', '/api/v1/l2events/list']
const VERDICTS = ['admitted', 'admitted', 'denied', 'refused'] as const

/** Requests over three days with different keys, routes and verdicts. */
async function recordRequests(count: number, from: string): Promise<void> {
  const events = Array.from({ length: count }, (_, n) => {
    const verdict = VERDICTS[n % VERDICTS.length] ?? 'admitted'
    const event = usageEvent({
      account_id: actor.userId,
      key_id: `key-${n % 3}`,
      route: ROUTES[n % 2] ?? '',
      request_id: n.toString(16).padStart(32, '0'),
      at: new Date(Date.parse(from) + n * 17 * 60_000),
    })
    return {
      ...event,
      data: { ...event.data, decision: { ...event.data.decision, verdict }, bytes_out: n, rows_returned: n % 5 },
    }
  })
  await ensureDays(
    app.db,
    events.map(({ time }) => Date.parse(time)),
  )
  await app.record(...events)
}

async function read<T>(path: string): Promise<T> {
  const reply = await app.get(actor, path)
  expect(reply.json()).toMatchObject({ success: true })
  return reply.json().data as T
}
const publicKey = () => app.deps.signer.publicKeys[0] ?? ''

/** The same counts by SQL over raw rows, without anything that the statement is made from. */
async function countBySql() {
  const { rows } = await sql<Record<string, string>>`
    select (time at time zone 'utc')::date::text as day, key_id, route,
      (count(*) filter (where verdict = 'admitted'))::int as admitted,
      (count(*) filter (where verdict = 'denied'))::int as denied,
      (count(*) filter (where verdict = 'refused'))::int as refused,
      sum(bytes_out)::int as bytes_out, coalesce(sum(rows_returned), 0)::int as rows_returned
    from logged_request where account_id = ${actor.userId}::uuid
      and time >= '2026-03-01' and time < '2026-04-01' and id not in (select id from usage_correction)
    group by 1, 2, 3 order by 1, 2, 3`.execute(app.db)
  return rows
}

/** Roots of hours, with leaves hashed by PostgreSQL and the tree of RFC 6962 by its recursive definition. */
async function rootsBySql(): Promise<string[]> {
  const { rows } = await sql<{ leaves: Buffer[] }>`
    select array_agg(sha256('\\x00'::bytea || convert_to(format(
      '{"account_id":"%s","bytes_out":%s,"id":"%s","key_id":"%s","method":"%s","outcome":"%s","request_id":"%s","route":"%s","rows_returned":%s,"status":%s,"time":"%s","verdict":"%s"}',
      account_id, bytes_out, id, key_id, method, outcome, request_id, route, coalesce(rows_returned, 0), status,
      to_char(time at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), verdict), 'UTF8')) order by time, id) as leaves
    from logged_request where account_id = ${actor.userId}::uuid and time < '2026-04-01'
    group by date_trunc('hour', time, 'UTC') order by date_trunc('hour', time, 'UTC')`.execute(app.db)
  return rows.map(({ leaves }) => recursiveRoot(leaves).toString('hex'))
}

function recursiveRoot(leaves: Buffer[]): Buffer {
  const [only] = leaves
  if (leaves.length === 1 && only !== undefined) return only
  const split = 2 ** Math.floor(Math.log2(leaves.length - 1))
  const parts = [recursiveRoot(leaves.slice(0, split)), recursiveRoot(leaves.slice(split))]
  return createHash('sha256')
    .update(Buffer.concat([Buffer.from([1]), ...parts]))
    .digest()
}

test('a statement agrees with SQL over the raw rows, and is verified offline with the public key', async () => {
  await recordRequests(250, '2026-03-29T22:10:00Z')
  app.clock.nowMs = Date.parse('2026-04-01T00:20:00Z')
  await sql`update usage_progress set checked_until = '2026-04-01T00:19:00Z'`.execute(app.db)
  while ((await closeHours(app.deps)) > 0);
  expect(await issueStatements(app.deps)).toBe(1)
  expect(await issueStatements(app.deps)).toBe(0)
  const signed = await read<SignedStatement>('statements/2026-03')
  expect(signed.statement).toMatchObject({ final: true, closed_until: '2026-04-01T00:00:00.000Z', corrections: [] })
  expect(signed.statement.lines).toEqual(await countBySql())
  expect(signed.statement.nodes.map(({ root }) => root)).toEqual(await rootsBySql())
  expect(statementFault(signed, publicKey())).toBeUndefined()
  expect(statementFault(signed, createSigner('another-secret-0123456789abcdefghij').publicKeys[0] ?? '')).toMatch(
    'signed',
  )
  const forged = structuredClone(signed)
  forged.statement.totals.admitted -= 1
  expect(statementFault(forged, publicKey())).toMatch('changed after it was signed')
  const { statements } = await read<{ statements: unknown[] }>('statements')
  expect(statements).toEqual([expect.objectContaining({ month: '2026-03', final: true, requests: 250 - inApril() })])
})

/** Requests of the 250 that are in April. */
const inApril = () => 250 - Math.ceil((Date.parse('2026-04-01') - Date.parse('2026-03-29T22:10:00Z')) / (17 * 60_000))

test('a proof shows that a request is in the statement, charged or rejected; one of another account is not found', async () => {
  await recordRequests(40, '2026-03-30T01:05:00Z')
  await closeHours(app.deps)
  const signed = await read<SignedStatement>('statements/2026-03')
  for (const [n, verdict] of VERDICTS.entries()) {
    const requestId = (n + 8).toString(16).padStart(32, '0')
    const proof = await read<StatementProof>(`statements/2026-03/proof?request_id=${requestId}`)
    expect(proof.row).toMatchObject({ request_id: requestId, verdict })
    expect(proofFault(signed, proof)).toBeUndefined()
    expect(proofFault(signed, { ...proof, row: { ...proof.row, verdict: 'forged' } })).toMatch('does not belong')
  }
  const url = `statements/2026-03/proof?request_id=${'0'.repeat(32)}`
  expect((await app.get(someUser(), url)).json()).toMatchObject({ status: 404, code: 'statement.request_not_found' })
  expect((await app.get(actor, 'statements/2026-05')).json()).toMatchObject({
    status: 404,
    code: 'statement.not_found',
  })
})

test('a closed hour never changes: a late row is a separate correction', async () => {
  await recordRequests(20, '2026-03-30T01:05:00Z')
  await closeHours(app.deps)
  const before = await read<SignedStatement>('statements/2026-03')
  const requestId = 'f'.repeat(32)
  const late = usageEvent({ account_id: actor.userId, request_id: requestId, at: new Date('2026-03-30T02:30:00Z') })
  await app.record(late)
  await app.record(late)
  await closeHours(app.deps)
  const after = await read<SignedStatement>('statements/2026-03')
  expect(after.statement.lines).toEqual(before.statement.lines)
  const hours = after.statement.nodes.filter(({ kind }) => kind === 'hour')
  expect(hours).toEqual(before.statement.nodes)
  expect(after.statement.corrections).toMatchObject([{ day: '2026-03-30', admitted: 1, denied: 0, refused: 0 }])
  const proof = await read<StatementProof>(`statements/2026-03/proof?request_id=${requestId}`)
  expect(proof.node).toMatchObject({ kind: 'correction', hour: '2026-03-30T02:00:00.000Z', requests: 1 })
  expect(proofFault(after, proof)).toBeUndefined()
  for (const table of ['usage_closed_hour', 'usage_correction', 'usage_statement']) {
    await expect(sql`delete from ${sql.table(table)}`.execute(app.db)).rejects.toThrow('never change')
  }
})

test('an hour with missing rows stays open, for at most 47 hours', async () => {
  await recordRequests(10, '2026-03-31T20:05:00Z')
  await sql`insert into usage_check (account_id, minute_at, cells, rows, state, checked_at)
    values (${actor.userId}::uuid, '2026-03-31T21:30:00Z', 2, 1, 'drift', now())`.execute(app.db)
  expect(await closeHours(app.deps)).toBe(1)
  expect(await closeHours(app.deps)).toBe(0)
  app.clock.nowMs += 47 * HOUR_MS
  expect(await closeHours(app.deps)).toBe(2)
})

test('an hour does not close while a transaction that records its rows is open', async () => {
  await recordRequests(3, '2026-03-31T20:05:00Z')
  await sql`update usage_progress set checked_until = '2026-03-31T20:59:00Z'`.execute(app.db)
  await closeHours(app.deps)
  await sql`update usage_progress set checked_until = '2026-03-31T23:00:00Z'`.execute(app.db)
  let closing: Promise<number> | undefined
  await app.db.transaction().execute(async (trx) => {
    const at = new Date('2026-03-31T20:50:00Z')
    await recordUsage(app.deps, trx, [usageEvent({ account_id: actor.userId, at })])
    closing = closeHours(app.deps)
    await sql`select pg_sleep(0.3)`.execute(trx)
  })
  await closing
  const { statement } = await read<SignedStatement>('statements/2026-03')
  expect(statement.nodes).toMatchObject([{ kind: 'hour', hour: '2026-03-31T20:00:00.000Z', requests: 4 }])
})

test.each([
  ['stripe', { event_name: 'api_requests', payload: { stripe_customer_id: 'cus_1', value: '2' } }],
  ['openmeter', { specversion: '1.0', type: 'api_requests', subject: 'cus_1', data: { value: 2 } }],
  ['lago', { event: { external_subscription_id: 'cus_1', code: 'api_requests', properties: { value: 2 } } }],
])('invoice lines for %s have a meter, a day and a stable identifier', async (system, first) => {
  await recordRequests(4, '2026-03-30T01:05:00Z')
  await closeHours(app.deps)
  const reply = await app.get(actor, `statements/2026-03/invoice?system=${system}&customer=cus_1`)
  const lines = reply.body
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)
  expect(lines).toHaveLength(3)
  expect(lines[0]).toMatchObject(first)
  expect(reply.body).toContain(`${actor.userId}-2026-03-30-api_requests`)
})

test('the invoice of an unfinished month has no line that can still change', async () => {
  const lines = async () => {
    const { body } = await app.get(actor, 'statements/2026-03/invoice?system=openmeter&customer=cus_1')
    const parsed = body.split('\n').filter(Boolean)
    return new Map(parsed.map((line) => [(JSON.parse(line) as { id: string }).id, line]))
  }
  await recordRequests(4, '2026-03-30T01:05:00Z')
  await recordRequests(4, '2026-03-31T20:05:00Z')
  await closeHours(app.deps)
  await app.record(usageEvent({ account_id: actor.userId, at: new Date('2026-03-30T02:30:00Z') }))
  await closeHours(app.deps)
  const unfinished = await lines()
  await recordRequests(2, '2026-03-31T23:05:00Z')
  app.clock.nowMs = Date.parse('2026-04-01T00:20:00Z')
  await sql`update usage_progress set checked_until = '2026-04-01T00:19:00Z'`.execute(app.db)
  while ((await closeHours(app.deps)) > 0);
  await issueStatements(app.deps)
  const final = await lines()
  const meters = ['api_requests', 'response_bytes', 'rows_returned']
  expect([...unfinished.keys()]).toEqual(meters.map((meter) => `${actor.userId}-2026-03-30-${meter}`))
  expect([...final.keys()]).toContain(`${actor.userId}-2026-03-31-api_requests`)
  expect([...final.keys()]).toContain(`${actor.userId}-2026-03-30-api_requests-correction-2026-03`)
  for (const [id, line] of unfinished) expect(final.get(id)).toBe(line)
})
