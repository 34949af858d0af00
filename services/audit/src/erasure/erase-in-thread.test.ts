import type { Logger } from '@tapeline/service/logger'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { archiveDueDays, environmentOf, openArchiveTest } from '../../test/archive.fixture.ts'
import { eraseInThread } from './erase-in-thread.ts'

type Logged = { level: 'info' | 'error'; fields: Record<string, unknown>; message: string }

test('the job erases deleted accounts in a thread with the configuration of its process, and logs a failure', async () => {
  const archive = await openArchiveTest()
  const { actor, db } = archive
  /** Resolves with what the job logs when its thread has ended. */
  const runJob = async (): Promise<Logged> => {
    const { promise, resolve } = Promise.withResolvers<Logged>()
    const at = (level: Logged['level']) => (fields: Record<string, unknown>, message: string) =>
      resolve({ level, fields, message })
    const logger = { info: at('info'), error: at('error') } as unknown as Pick<Logger, 'info' | 'error'>
    await eraseInThread({ db, logger })
    return promise
  }
  try {
    await archive.recordWeek()
    await archiveDueDays(archive)
    await sql`insert into erased_account (account_id, deleted_at) values (${actor.userId}::uuid, now())`.execute(db)
    for (const [name, value] of Object.entries(environmentOf(archive))) vi.stubEnv(name, value)
    vi.stubEnv('LAKE_URL', 'file:/dev/null/no-folder')
    expect(await runJob()).toMatchObject({
      level: 'error',
      fields: { err: { message: expect.stringMatching(/^1 accounts were not erased completely: .*cannot be opened/) } },
      message: 'erasure: deleted accounts were not erased completely; the next run retries',
    })
    vi.stubEnv('LAKE_URL', `file:${archive.folder}`)
    expect(await runJob()).toMatchObject({
      level: 'info',
      fields: { accounts: 1 },
      message: 'erasure: deleted accounts were processed',
    })
    const requests = await archive.walk('limit=50')
    expect(requests.length).toBeGreaterThan(90)
    expect(requests.filter(({ network }) => network !== '')).toEqual([])
  } finally {
    vi.unstubAllEnvs()
    await archive.close()
  }
})
