import { parentPort } from 'node:worker_threads'
import { cancelWith } from '@tapeline/database/cancel'
import { connectDatabase, createPool, JOB_TIMEOUTS } from '@tapeline/database/connect'
import { openStore } from '@tapeline/objects/open-store'
import { loadConfig } from '../../config.ts'
import type { Tables } from '../../tables.ts'
import { archiveNextDay } from './archive-days.ts'

// A thread of its own: encoding a row group takes longer than a request may wait.
const config = loadConfig(process.env)
const pool = createPool({
  ...JOB_TIMEOUTS,
  statementTimeoutMs: config.DATABASE_JOBS_STATEMENT_TIMEOUT_MS,
  url: config.DATABASE_URL,
  // One for the lock of the run, one for its statements.
  connectionsMax: 2,
  applicationName: 'audit-archive',
})
const stopping = new AbortController()
parentPort?.once('message', () => stopping.abort())
// Listening alone does not keep the thread.
parentPort?.unref()
const deps = {
  db: connectDatabase<Tables>(pool),
  now: () => new Date(),
  store: config.LAKE_URL === '' ? undefined : openStore(config),
  archiveAfterDays: config.USAGE_ARCHIVE_AFTER_DAYS,
}
try {
  const archived = await cancelWith(stopping.signal, () => archiveNextDay(deps))
  if (archived !== undefined) parentPort?.postMessage(archived)
} finally {
  await pool.end()
}
