import { connectDatabase, createPool } from '@tapeline/database/connect'
import { runAdmin } from '@tapeline/service/process/run-admin'
import { runAdminCommand } from './run-admin-command.ts'
import type { Tables } from './tables.ts'

// Operator commands of api-key, started by `npm run import-keys`, which finds the databases.
const CONNECT_TIMEOUT_MS = 10_000

await runAdmin('api-key', ({ databaseUrl: url, ...context }) => {
  const applicationName = 'api-key-admin'
  const pool = createPool({ url, connectionsMax: 1, applicationName, connectTimeoutMs: CONNECT_TIMEOUT_MS })
  const deps = { ...context, db: connectDatabase<Tables>(pool) }
  return { command: (words) => runAdminCommand(deps, words), close: () => pool.end() }
})
