import type { Actor } from '@tapeline/contracts/actor'
import type { LimitsReplay } from '@tapeline/contracts/audit/replay'
import { connectDatabase, createPool, JOB_TIMEOUTS } from '@tapeline/database/connect'
import { someUser } from '@tapeline/testing/actors'
import { callAs, testInternalKeys } from '@tapeline/testing/call-as'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { usageEvent } from '@tapeline/testing/usage/usage-event'
import { waitUntil } from '@tapeline/testing/wait-until'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp } from '../test/app.fixture.ts'
import { createApp } from './app.ts'
import { findReplay } from './replay/replay-queries.ts'
import type { Tables } from './tables.ts'

const DAY = { from: '2026-11-20T00:00:00Z', to: '2026-11-21T00:00:00Z' }
const admin: Actor = someUser({ role: 'admin' })
const { db, deps, databaseUrl: url, record, close } = await openTestApp('2026-11-21T12:00:00Z')
const requests = createPool({ url, connectionsMax: 2, applicationName: 'of-requests' })
const jobs = createPool({ ...JOB_TIMEOUTS, url, connectionsMax: 2, applicationName: 'of-jobs' })
const app = await createApp(
  { ...deps, db: connectDatabase<Tables>(requests), jobsDb: connectDatabase<Tables>(jobs) },
  { logger: silentLogger, internalKeys: testInternalKeys, checks: {} },
)
beforeAll(async () => {
  await record(usageEvent({ tier: 'pro', at: new Date('2026-11-20T10:00:00Z') }))
  // A statement that reads all requests of a period takes this long.
  await sql`create table pause (seconds float8)`.execute(db)
  await sql`insert into pause values (2.5)`.execute(db)
  await sql`alter view logged_request rename to all_requests`.execute(db)
  await sql`
    create view logged_request as select * from all_requests
    where (select pg_sleep(seconds) from pause) is not null`.execute(db)
})
afterAll(async () => {
  await app.close()
  await Promise.all([requests.end(), jobs.end()])
  await close()
})

async function startReplay(): Promise<string> {
  const body = { tier: { name: 'pro', rateLimits: {} }, ...DAY }
  const started = await callAs(app, 'audit', admin, { method: 'POST', url: '/api/v1/admin/limits/replay', body })
  expect(started.statusCode).toBe(202)
  return (started.json().data as LimitsReplay).id
}

const stateOf = async (id: string) => (await findReplay(db, id))?.state
const countReading = async () => {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from pg_stat_activity
    where datname = current_database() and application_name = 'of-jobs' and state = 'active'`.execute(db)
  return rows[0]?.n
}

test('a replay that an admin starts reads for longer than a request may', async () => {
  const id = await startReplay()
  await waitUntil('it has ended', async () => ['done', 'failed'].includes((await stateOf(id)) ?? ''))
  expect(await stateOf(id)).toBe('done')
})

test('a server that closes cancels the statements of a replay; it is resumed by the job', async () => {
  await sql`update pause set seconds = 100`.execute(db)
  const id = await startReplay()
  await waitUntil('it reads', async () => (await countReading()) === 1)
  await app.close()
  await waitUntil('its statement has ended', async () => (await countReading()) === 0)
  expect(await stateOf(id)).toBe('running')
})
