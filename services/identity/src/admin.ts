import { connectDatabase, createPool } from '@tapeline/database/connect'
import { readConfig } from '@tapeline/service/read-config'
import { runAdmin } from '@tapeline/service/process/run-admin'
import { Type } from 'typebox'
import { linkFields, tryFields, trySettings } from './config.ts'
import { runAdminCommand } from './run-admin-command.ts'
import { createSignInTries } from './sign-in-limits/sign-in-tries.ts'
import type { Tables } from './tables.ts'

// Operator commands of identity, started by `npm run admin`, which finds the databases.
const CONNECT_TIMEOUT_MS = 10_000

const config = readConfig(Type.Object({ ...linkFields, ...tryFields }), process.env)

await runAdmin('identity', ({ databaseUrl: url, redis, ...context }) => {
  const applicationName = 'identity-admin'
  const pool = createPool({ url, connectionsMax: 1, applicationName, connectTimeoutMs: CONNECT_TIMEOUT_MS })
  const deps = {
    ...context,
    db: connectDatabase<Tables>(pool),
    tries: createSignInTries(redis, trySettings(config), context.now),
    webOrigin: config.WEB_ORIGIN,
    resetLinkLifeMs: config.RESET_LINK_LIFE_SECONDS * 1_000,
  }
  return { command: (words) => runAdminCommand(deps, words), close: () => pool.end() }
})
