import { createPool, LONG_TIMEOUTS } from '@tapeline/database/connect'
import { createDeps } from '../../src/deps.ts'
import { openStore } from '@tapeline/objects/open-store'
import { sealSettledDays } from '../../src/lake/sealing/seal-settled-days.ts'
import { CURSOR_SECRET } from './lake.fixture.ts'

// node seal-days.ts: runs the hourly job once on DATABASE_URL and LAKE_URL, so that a test does not wait for it.

const STATEMENT_TIMEOUT_MS = 60_000
const pool = createPool({
  url: process.env['DATABASE_URL'] ?? '',
  connectionsMax: 2,
  applicationName: 'seal-days',
  ...LONG_TIMEOUTS,
  statementTimeoutMs: STATEMENT_TIMEOUT_MS,
})
try {
  const store = openStore({
    LAKE_URL: process.env['LAKE_URL'] ?? '',
    LAKE_ACCESS_KEY_ID: '',
    LAKE_SECRET_ACCESS_KEY: '',
  })
  process.stdout.write(
    `${JSON.stringify(await sealSettledDays(createDeps(pool, () => new Date(), CURSOR_SECRET, { store })))}\n`,
  )
} finally {
  await pool.end()
}
