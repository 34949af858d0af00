import type { Logger } from '@tapeline/service/logger'
import { startThread } from '../../threads/start-thread.ts'
import type { ArchivedNow } from './archive-days.ts'

/**
 * Job. Starts to archive the oldest due day of the request log in a thread. It does not wait for the end, because other jobs would wait
 * with it.
 */
export async function archiveInThread(logger: Pick<Logger, 'info' | 'error'>): Promise<void> {
  startThread<ArchivedNow>(new URL('archive-worker.ts', import.meta.url), {
    onDone: (archived, seconds) =>
      logger.info({ ...archived, seconds }, 'request archive: a day was moved to the object store'),
    onFailure: (err) =>
      logger.error({ err }, 'request archive: a day could not be moved to the object store; the next run retries'),
  })
}
