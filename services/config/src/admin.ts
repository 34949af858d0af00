import { connectDatabase, createPool } from '@tapeline/database/connect'
import { runAdmin } from '@tapeline/service/process/run-admin'
import { runAdminCommand } from './run-admin-command.ts'
import type { Tables } from './tables.ts'

// Operator commands of config, started by `npm run admin`, which finds the databases.
const CONNECT_TIMEOUT_MS = 10_000

await runAdmin('config', ({ databaseUrl: url, ...context }) => {
  const applicationName = 'config-admin'
  const pool = createPool({ url, connectionsMax: 1, applicationName, connectTimeoutMs: CONNECT_TIMEOUT_MS })
  const deps = { ...context, db: connectDatabase<Tables>(pool) }
  return { command: (words) => runAdminCommand(deps, words), close: () => pool.end() }
})
