import { connectDatabase, createPool } from '@tapeline/database/connect'
import { raiseVersion } from '@tapeline/service/account-versions'
import { createLogger } from '@tapeline/service/logger'
import { readConfig, secret } from '@tapeline/service/read-config'
import { connectRedis, redisReady } from '@tapeline/service/redis'
import { runAdmin } from '@tapeline/service/run-admin'
import { randomUUIDv7 } from 'node:crypto'
import { Type } from 'typebox'
import { runAdminCommand } from './run-admin-command.ts'
import type { Tables } from './tables.ts'

// What identity does for an operator; npm run admin finds the databases and starts this.
const REDIS_TIMEOUT_MS = 1_000
const CONNECT_TIMEOUT_MS = 10_000

const Environment = Type.Object({
  DATABASE_URL: secret(Type.String({ minLength: 1 })),
  REDIS_URL: secret(Type.String({ minLength: 1 })),
})

const environment = readConfig(Environment, process.env)
const pool = createPool({
  url: environment.DATABASE_URL,
  connectionsMax: 1,
  applicationName: 'identity-admin',
  connectTimeoutMs: CONNECT_TIMEOUT_MS,
})
const logger = createLogger('identity-admin', 'fatal')
const redis = connectRedis({ url: environment.REDIS_URL, logger, commandTimeoutMs: REDIS_TIMEOUT_MS })
try {
  await redisReady(redis, REDIS_TIMEOUT_MS)
  const deps = {
    db: connectDatabase<Tables>(pool),
    now: () => new Date(),
    newId: () => randomUUIDv7(),
    raiseVersion: (version: Parameters<typeof raiseVersion>[1]) => raiseVersion(redis, version),
  }
  await runAdmin(process.argv.slice(2), (words) => runAdminCommand(deps, words))
} finally {
  redis.disconnect()
  await pool.end()
}
