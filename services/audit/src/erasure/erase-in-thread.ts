import type { Kysely } from 'kysely'
import type { Logger } from '@tapeline/service/logger'
import type { Tables } from '../tables.ts'
import { startThread } from '../threads/start-thread.ts'
import { listPendingErasures } from './erasure-queries.ts'

/**
 * Job. Starts to erase deleted accounts in a thread, if there are any. It does not wait for the end, because other jobs would wait with
 * it: accounts with many requests take minutes.
 */
export async function eraseInThread(deps: {
  db: Kysely<Tables>
  logger: Pick<Logger, 'info' | 'error'>
}): Promise<void> {
  const { db, logger } = deps
  if ((await listPendingErasures(db, undefined, 1)).length === 0) return
  startThread<number>(new URL('erase-worker.ts', import.meta.url), {
    onDone: (accounts, seconds) => logger.info({ accounts, seconds }, 'erasure: deleted accounts were processed'),
    onFailure: (err) =>
      logger.error({ err }, 'erasure: deleted accounts were not erased completely; the next run retries'),
  })
}
