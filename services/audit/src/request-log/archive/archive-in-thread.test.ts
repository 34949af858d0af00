import type { Logger } from '@tapeline/service/logger'
import { waitUntil } from '@tapeline/testing/wait-until'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { type ArchiveTest, closeAllHours, openArchiveTest } from '../../../test/archive.fixture.ts'
import { archiveInThread, stopArchiving } from './archive-in-thread.ts'

const SECRET = Buffer.alloc(32, 9).toString('base64url')

type Logged = { level: 'info' | 'error'; fields: Record<string, unknown>; message: string }

/** The thread has the configuration of its process. */
function configure({ databaseUrl, folder }: ArchiveTest): void {
  const environment = {
    DATABASE_URL: databaseUrl,
    LAKE_URL: `file:${folder}`,
    INTERNAL_KEYS: `gateway>audit=${SECRET}`,
    CURSOR_SECRET: SECRET,
    WEBHOOK_KEYS: SECRET,
    EVIDENCE_KEYS: SECRET,
    REDIS_URL: 'redis://127.0.0.1:1',
    KAFKA_BROKERS: '127.0.0.1:1',
  }
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value)
}

/** Resolves with what the job logs when its thread has ended. */
async function runJob(): Promise<Logged> {
  const { promise, resolve } = Promise.withResolvers<Logged>()
  const at = (level: Logged['level']) => (fields: Record<string, unknown>, message: string) =>
    resolve({ level, fields, message })
  await archiveInThread({ info: at('info'), error: at('error') } as unknown as Pick<Logger, 'info' | 'error'>)
  return promise
}

test('the job moves the oldest due day in a thread with the configuration of its process, and logs a failure', async () => {
  const archive = await openArchiveTest()
  try {
    await archive.recordWeek()
    await closeAllHours(archive)
    const whole = await archive.walk('limit=50')
    configure(archive)
    expect(await runJob()).toMatchObject({
      level: 'info',
      fields: { day: '2026-03-12', rows: 8, files: 1 },
      message: 'request archive: a day was moved to the object store',
    })
    expect(await archive.walk('limit=50')).toEqual(whole)
    vi.stubEnv('LAKE_URL', 'file:/dev/null/no-folder')
    expect(await runJob()).toMatchObject({
      level: 'error',
      message: 'request archive: a day could not be moved to the object store; the next run retries',
    })
    expect(await archive.walk('limit=50')).toEqual(whole)
  } finally {
    vi.unstubAllEnvs()
    await archive.close()
  }
})

test('a process that stops cancels the statements of the thread in PostgreSQL', async () => {
  const archive = await openArchiveTest()
  const { db } = archive
  const countReading = async () => {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from pg_stat_activity
      where datname = current_database() and application_name = 'audit-archive' and state = 'active'`.execute(db)
    return rows[0]?.n
  }
  try {
    await archive.recordWeek()
    await closeAllHours(archive)
    await sql`alter table archived_day rename to slow_day`.execute(db)
    await sql`create view archived_day as select * from slow_day where (select pg_sleep(50)) is not null`.execute(db)
    configure(archive)
    const outcome = runJob()
    await waitUntil('the thread reads', async () => (await countReading()) === 1)
    await stopArchiving()
    expect(await outcome).toMatchObject({ level: 'error', fields: { err: { code: '57014' } } })
    await waitUntil('its statement has ended', async () => (await countReading()) === 0)
    await stopArchiving()
  } finally {
    vi.unstubAllEnvs()
    await archive.close()
  }
})
