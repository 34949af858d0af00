import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Logger } from '@tapeline/service/logger'
import type { ArchivedNow } from './archive-days.ts'

const STOP_TIMEOUT_MS = 1_000
let running: Worker | undefined

/**
 * Job. Starts to archive the oldest due day of the request log, in a thread with this process's configuration, unless the thread of
 * an earlier run is still at work. It does not wait for the end, because other jobs would wait with it.
 */
export async function archiveInThread(logger: Pick<Logger, 'info' | 'error'>): Promise<void> {
  if (running !== undefined) return
  running = new Worker(new URL('archive-worker.ts', import.meta.url))
  // A process that stops does not wait: the work may end at any point.
  running.unref()
  void report(running, logger)
}

/** Cancels the statements of a running thread; a later run continues. Resolves when the thread has ended, after 1 s at the latest. */
export async function stopArchiving(): Promise<void> {
  if (running === undefined) return
  const ended = once(running, 'exit').catch(() => {})
  running.postMessage('stop')
  await Promise.race([ended, delay(STOP_TIMEOUT_MS)])
}

async function report(worker: Worker, logger: Pick<Logger, 'info' | 'error'>): Promise<void> {
  const startedAt = performance.now()
  let archived: ArchivedNow | undefined
  worker.once('message', (message: ArchivedNow) => {
    archived = message
  })
  try {
    await once(worker, 'exit')
  } catch (err) {
    logger.error({ err }, 'request archive: a day could not be moved to the object store; the next run retries')
    return
  } finally {
    running = undefined
  }
  if (archived === undefined) return
  const seconds = Math.round((performance.now() - startedAt) / 1_000)
  logger.info({ ...archived, seconds }, 'request archive: a day was moved to the object store')
}
