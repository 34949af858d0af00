import { createPool } from '@tapeline/database/connect'
import { testInternalKeys } from '@tapeline/testing/call-as'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { createApp } from '../src/app.ts'
import { createDeps } from '../src/deps.ts'
import { openStore } from '@tapeline/objects/open-store'

/** The service's HTTP role as a separate process; on any message it reports its CPU time in microseconds. */
const { DATABASE_URL: url = '', LAKE_URL = '', LAKE_MEMORY_MB = '96' } = process.env
const { LAKE_ACCESS_KEY_ID = '', LAKE_SECRET_ACCESS_KEY = '' } = process.env
const pool = createPool({ url, connectionsMax: 8, applicationName: 'lake-bench' })
const store = openStore({ LAKE_URL, LAKE_ACCESS_KEY_ID, LAKE_SECRET_ACCESS_KEY })
const deps = createDeps(pool, () => new Date(), 'a secret of at least 32 characters', {
  store,
  lakeMemoryBytes: Number(LAKE_MEMORY_MB) * 1024 * 1024,
})
const app = await createApp(deps, { logger: silentLogger, internalKeys: testInternalKeys, checks: {} })
await app.listen({ host: '127.0.0.1', port: 0 })
const address = app.server.address()
process.send?.({ port: typeof address === 'object' && address !== null ? address.port : 0 })
process.on('disconnect', () => process.exit())
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.({ cpuMicros: user + system, rssBytes: process.memoryUsage.rss() })
})
