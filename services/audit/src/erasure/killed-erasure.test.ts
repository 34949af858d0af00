import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { streamEvent } from '@tapeline/testing/usage/usage-event'
import { waitUntil } from '@tapeline/testing/wait-until'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ARCHIVE_TEST_NOW, type ArchiveTest, archiveDueDays, openArchiveTest } from '../../test/archive.fixture.ts'
import type { Order } from '../../test/erase-and-die.ts'
import { recordStreams } from '../live-streams/record-streams.ts'
import { verifyUsage } from '../reconciliation/verify-usage.ts'
import { listArchiveKeys } from '../request-log/archive/archive-queries.ts'
import { sweepArchive } from '../request-log/archive/sweep-archive.ts'

/** About twenty processes one after the other. */
vi.setConfig({ testTimeout: 240_000 })

const DAY_MS = 86_400_000
const SCRIPT = join(import.meta.dirname, '..', '..', 'test', 'erase-and-die.ts')

let archive: ArchiveTest
beforeEach(async () => {
  archive = await openArchiveTest()
})
afterEach(() => archive.close())

async function run(more: Partial<Order> = {}): Promise<{ signal: unknown; output: string }> {
  const { databaseUrl, folder } = archive
  const order: Order = { databaseUrl, folder, at: ARCHIVE_TEST_NOW, batchRows: 3, ...more }
  const file = join(folder, 'order.json')
  await writeFile(file, JSON.stringify(order))
  const ended = await new Promise<{ signal: unknown; output: string }>((resolve) => {
    execFile(process.execPath, [SCRIPT, file], (error, output, errors) => {
      resolve({ signal: error === null ? undefined : (error.signal ?? errors), output })
    })
  })
  // Until then PostgreSQL keeps the locks of a killed process.
  await waitUntil('the connections of the process are closed', async () => (await countConnections()) === 0)
  return ended
}

async function countConnections(): Promise<number | undefined> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from pg_stat_activity
    where datname = current_database() and application_name = 'erase-and-die'`.execute(archive.db)
  return rows[0]?.n
}

/** Rows with networks of an account. */
async function networksOf(accountId: string) {
  const { rows } = await sql<Record<string, number>>`
    select
      (select count(*)::int from logged_request where account_id = ${accountId}::uuid and network <> '') as requests,
      (select count(*)::int from usage_stream where account_id = ${accountId}::uuid and network <> '') as streams,
      (select count(*)::int from usage_network where account_id = ${accountId}::uuid and network <> '') as quarters,
      (select count(*)::int from usage_network_day where account_id = ${accountId}::uuid and network <> '') as days`.execute(
    archive.db,
  )
  return rows[0]
}

const NONE = { requests: 0, streams: 0, quarters: 0, days: 0 }
const listed = async (actor = archive.actor) => (await archive.getJson('requests?limit=100', actor)).data.requests

/** In the order in which they are reached; the numbers are those of a statement in its run. */
const STEPS: [string, number][] = [
  ['update audit_trail', 1],
  ['delete from "custom_report"', 1],
  ['insert into erasure_pass', 1],
  ['update "request_log"', 2],
  ['update erasure_pass set through_day', 2],
  ['update erasure_pass set finished_at', 1],
  ['update "usage_stream"', 1],
  ['delete from "usage_network" where', 3],
  ['delete from "usage_network_day" where', 2],
  ['put object', 1],
  ['object stored', 1],
  ['update archive_file', 1],
  ['delete object', 1],
  ['update archive_file', 2],
  ['object deleted', 2],
  ['update "erased_account"', 1],
]

test('an erasure that is killed at any step continues, ends, and changes nothing else', async () => {
  await archive.recordWeek()
  const { db, deps, actor, other } = archive
  const streams = [1, 2].map((hour) =>
    streamEvent({ account_id: actor.userId, network: '198.51.100.0/24', at: archive.ago(60 * hour) }),
  )
  await db.transaction().execute((trx) => recordStreams(deps, trx, streams))
  await archiveDueDays(archive)
  const before = { own: await listed(), other: [await networksOf(other.userId), await listed(other)] }
  await sql`insert into erased_account (account_id, deleted_at) values (${actor.userId}::uuid, ${deps.now()})`.execute(
    db,
  )
  for (const [crashAt, nth] of STEPS) {
    expect([crashAt, await run({ crashAt, nth })]).toEqual([crashAt, { signal: 'SIGKILL', output: '' }])
    expect(await verifyUsage(db, other.userId)).toMatchObject({ isRight: true, archivedDays: [] })
    expect(await listed()).toHaveLength(before.own.length)
  }
  expect(await run()).toEqual({ signal: undefined, output: '1' })
  expect(await networksOf(actor.userId)).toEqual(NONE)
  expect(await verifyUsage(db, null)).toMatchObject({ isRight: true, archivedDays: [] })
  expect(await listed()).toEqual(before.own.map((one: object) => ({ ...one, network: '' })))
  const at = new Date(Date.parse(ARCHIVE_TEST_NOW) + DAY_MS).toISOString()
  for (const crashAt of ['insert into erasure_pass', 'with settled as']) {
    expect([crashAt, await run({ crashAt, at })]).toEqual([crashAt, { signal: 'SIGKILL', output: '' }])
  }
  expect(await run({ at })).toEqual({ signal: undefined, output: '1' })
  expect(await run({ at })).toEqual({ signal: undefined, output: '0' })
  expect([await networksOf(other.userId), await listed(other)]).toEqual(before.other)
  // Objects are as old as this test.
  const now = () => new Date(Date.now() + 2 * DAY_MS)
  await sweepArchive({ ...deps, now, retention: { rowDays: 10_000 } })
  const keys = [...(await listArchiveKeys(db)).values()].flatMap((ofDay) => [...ofDay])
  expect((await archive.store.list('audit/')).map(({ key }) => key).toSorted()).toEqual(keys.toSorted())
})
