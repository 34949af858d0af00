import { connectRedis, redisReady } from '@tapeline/service/redis'
import { testInternalKeys } from '@tapeline/testing/call-as'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { testServers } from '@tapeline/testing/test-servers'
import { createApp } from '../src/app.ts'
import type { Deps } from '../src/deps.ts'
import { migrations } from '../src/migrations/all.ts'
import type { Tables } from '../src/tables.ts'
import { testDeps } from './deps.fixture.ts'

const REDIS_WITHIN_MS = 30_000

type Own = { clock?: { nowMs: number }; settings?: Deps['settings'] }

/** The service's routes on a database of the test file, without a server for usage; `close` them in afterAll. */
export async function openTestApp({ clock, settings }: Own = {}) {
  const { db, drop } = await openTestDatabase<Tables>(migrations)
  const redis = connectRedis({
    url: testServers().redisUrl,
    logger: silentLogger,
    commandTimeoutMs: REDIS_WITHIN_MS,
  })
  if (!(await redisReady(redis, REDIS_WITHIN_MS))) throw new Error('Redis does not respond')
  const deps = { ...testDeps(db, redis, clock), ...(settings === undefined ? {} : { settings }) }
  const app = await createApp(deps, { logger: silentLogger, internalKeys: testInternalKeys, checks: {} })
  return {
    db,
    redis,
    deps,
    app,
    close: async () => {
      await app.close()
      redis.disconnect()
      await drop()
    },
  }
}
