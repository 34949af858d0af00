import { connectDatabase, createPool } from '@tapeline/database/connect'
import { raiseVersion } from '@tapeline/service/account-versions'
import { AppError } from '@tapeline/service/app-error'
import { createLogger } from '@tapeline/service/logger'
import { readConfig, secret } from '@tapeline/service/read-config'
import { connectRedis, redisReady } from '@tapeline/service/redis'
import { randomUUIDv7 } from 'node:crypto'
import { Type } from 'typebox'
import { parseAdminCommand } from './parse-admin-command.ts'
import { setSubscription } from './set-subscription.ts'
import type { Tables } from './tables.ts'

const REDIS_TIMEOUT_MS = 1_000

const Environment = Type.Object({
  DATABASE_URL: secret(Type.String({ minLength: 1 })),
  REDIS_URL: secret(Type.String({ minLength: 1 })),
})

async function run(args: string[]): Promise<void> {
  const input = parseAdminCommand(args)
  const environment = readConfig(Environment, process.env)
  const pool = createPool({ url: environment.DATABASE_URL, connectionsMax: 1, applicationName: 'config-admin' })
  const logger = createLogger('config-admin', 'fatal')
  const redis = connectRedis({ url: environment.REDIS_URL, logger, commandTimeoutMs: REDIS_TIMEOUT_MS })
  try {
    await redisReady(redis, REDIS_TIMEOUT_MS)
    const deps = {
      db: connectDatabase<Tables>(pool),
      now: () => new Date(),
      newId: () => randomUUIDv7(),
      raiseVersion: (version: Parameters<typeof raiseVersion>[1]) => raiseVersion(redis, version),
    }
    const subscription = await setSubscription(deps, { kind: 'service', service: 'config' }, input)
    process.stdout.write(`${JSON.stringify(subscription, null, 2)}\n`)
  } finally {
    redis.disconnect()
    await pool.end()
  }
}

try {
  await run(process.argv.slice(2))
} catch (error) {
  const details =
    error instanceof AppError ? (error.errors ?? []).map(({ field, message }) => `  ${field}: ${message}`) : []
  process.stderr.write(`${[error instanceof Error ? error.message : String(error), ...details].join('\n')}\n`)
  process.exitCode = 1
}
