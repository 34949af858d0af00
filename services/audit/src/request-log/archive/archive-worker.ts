import { parentPort } from 'node:worker_threads'
import { connectDatabase, createPool, LONG_TIMEOUTS } from '@tapeline/database/connect'
import { openStore } from '@tapeline/objects/open-store'
import { loadConfig } from '../../config.ts'
import type { Tables } from '../../tables.ts'
import { archiveNextDay } from './archive-days.ts'

// A thread of its own: encoding a row group takes longer than a request may wait.
const config = loadConfig(process.env)
const pool = createPool({
  ...LONG_TIMEOUTS,
  url: config.DATABASE_URL,
  connectionsMax: 3,
  applicationName: 'audit-archive',
})
try {
  const archived = await archiveNextDay({
    db: connectDatabase<Tables>(pool),
    now: () => new Date(),
    store: config.LAKE_URL === '' ? undefined : openStore(config),
    archiveAfterDays: config.USAGE_ARCHIVE_AFTER_DAYS,
  })
  if (archived !== undefined) parentPort?.postMessage(archived)
} finally {
  await pool.end()
}
