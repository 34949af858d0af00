import type { SignedStatement } from '@tapeline/contracts/audit/statements'
import { someUser } from '@tapeline/testing/actors'
import { usageEvent } from '@tapeline/testing/usage/usage-event'
import { type KyselyPlugin, sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestApp } from '../../test/app.fixture.ts'
import { maintainPartitions } from '../ingest/maintain-partitions.ts'
import { buildStatement } from './build-statement.ts'
import { closeHours } from './close-hours.ts'
import { issueStatements } from './issue-statements.ts'
import { statementFault } from './verify-statement.ts'

let app: Awaited<ReturnType<typeof openTestApp>>
const actor = someUser()

beforeEach(async () => {
  app = await openTestApp('2026-03-01T12:00:00Z')
  await sql`insert into usage_progress (topic, complete_until, checked_until)
    values ('usage', '2026-04-02', '2026-03-01T11:00:00Z')`.execute(app.db)
})
afterEach(() => app.close())

const record = (...times: string[]) =>
  app.record(...times.map((at) => usageEvent({ account_id: actor.userId, at: new Date(at), bytes_out: 7 })))

async function readStatement(month: string) {
  const reply = await app.get(actor, `statements/${month}`)
  return reply.json().data as SignedStatement
}

test('a correction is in the statement of its month when its row is past the retention by then', async () => {
  await record('2026-02-27T01:05:00Z', '2026-02-27T02:05:00Z')
  while ((await closeHours(app.deps)) > 0);
  await record('2026-02-27T02:30:00Z', '2026-02-27T02:10:00Z')
  const { statement: provisional } = await readStatement('2026-03')
  expect(provisional.corrections).toMatchObject([{ day: '2026-02-27', admitted: 2, bytes_out: 14 }])
  app.clock.nowMs = Date.parse('2026-04-01T00:20:00Z')
  await maintainPartitions({ ...app.deps, retention: { rowDays: 30 } })
  await sql`update usage_progress set checked_until = '2026-04-01T00:19:00Z'`.execute(app.db)
  while ((await closeHours(app.deps)) > 0);
  expect(await issueStatements(app.deps)).toBe(1)
  const signed = await readStatement('2026-03')
  expect(signed.statement.final).toBe(true)
  expect(signed.statement.corrections).toEqual(provisional.corrections)
  expect(signed.statement.nodes).toEqual(provisional.nodes)
  expect(statementFault(signed, app.deps.signer.publicKeys[0] ?? '')).toBeUndefined()
})

test('corrections of a release that kept nothing of them are read from their rows', async () => {
  await record('2026-02-27T02:05:00Z')
  while ((await closeHours(app.deps)) > 0);
  await record('2026-02-27T02:30:00Z')
  const before = await readStatement('2026-03')
  await sql`alter table usage_correction disable trigger all`.execute(app.db)
  await sql`update usage_correction set time = null, leaf = null, line = null`.execute(app.db)
  const { statement } = await readStatement('2026-03')
  expect(statement.corrections).toEqual(before.statement.corrections)
  expect(statement.nodes).toEqual(before.statement.nodes)
})

const PAGE_ROWS = 5_000
const AT_ONE_TIME = 7

test('the corrections of an hour are read in pages, also if some of them are of a release that kept nothing', async () => {
  await record('2026-02-27T02:05:00Z')
  while ((await closeHours(app.deps)) > 0);
  // A page ends between requests of the same microsecond.
  const timeOf = (n: number) => `2026-02-27T02:30:00.${String(Math.floor(n / AT_ONE_TIME)).padStart(6, '0')}Z`
  const late = Array.from({ length: PAGE_ROWS + AT_ONE_TIME }, (_, n) => ({
    ...usageEvent({ account_id: actor.userId, bytes_out: n }),
    time: timeOf(n),
  }))
  await app.record(...late)
  let rowsMax = 0
  const counting: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      rowsMax = Math.max(rowsMax, result.rows.length)
      return result
    },
  }
  const build = () => buildStatement({ ...app.deps, db: app.db.withPlugin(counting) }, actor.userId, '2026-03')
  const { statement } = await build()
  expect(rowsMax).toBe(PAGE_ROWS)
  expect(statement.nodes).toMatchObject([{ kind: 'correction', requests: late.length }])
  await sql`alter table usage_correction disable trigger all`.execute(app.db)
  await sql`update usage_correction set time = null, leaf = null, line = null
    where id = (select id from usage_correction order by time desc, id desc limit 1)`.execute(app.db)
  const fromRows = await build()
  expect(fromRows.statement.nodes).toEqual(statement.nodes)
  expect(fromRows.statement.corrections).toEqual(statement.corrections)
})

test('an account whose statement cannot be built does not keep others from theirs', async () => {
  await record('2026-02-27T02:05:00Z')
  while ((await closeHours(app.deps)) > 0);
  await sql`insert into usage_closed_hour (account_id, hour_at, requests, root, lines, closed_at)
    select lpad(n::text, 32, '0')::uuid, '2026-02-27T02:00:00Z', 1, '', '[null]', now()
    from generate_series(1, 2) n`.execute(app.db)
  await expect(issueStatements(app.deps, 1)).rejects.toThrow('2 statements were not issued')
  const { rows } = await sql<{ account_id: string }>`select account_id from usage_statement`.execute(app.db)
  expect(rows).toEqual([{ account_id: actor.userId }])
})

test('the accounts of an hour are found without reading its rows', async () => {
  await record('2026-02-27T20:05:00Z')
  await sql`drop view logged_request`.execute(app.db)
  while ((await closeHours(app.deps)) > 0);
  const { statement } = await readStatement('2026-02')
  expect(statement.nodes).toMatchObject([{ hour: '2026-02-27T20:00:00.000Z', requests: 1 }])
})
