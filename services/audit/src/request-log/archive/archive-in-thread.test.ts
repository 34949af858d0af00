import type { Logger } from '@tapeline/service/logger'
import { expect, test, vi } from 'vitest'
import { closeAllHours, environmentOf, openArchiveTest } from '../../../test/archive.fixture.ts'
import { archiveInThread } from './archive-in-thread.ts'

type Logged = { level: 'info' | 'error'; fields: Record<string, unknown>; message: string }

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
    for (const [name, value] of Object.entries(environmentOf(archive))) vi.stubEnv(name, value)
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
