import { accountHashKey, keyVersionField } from '@tapeline/service/account-versions'
import { connectRedis, redisReady } from '@tapeline/service/redis'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { testServers } from '@tapeline/testing/test-servers'
import { migrations } from '../src/migrations/all.ts'
import type { Tables } from '../src/tables.ts'
import { testDeps } from './deps.fixture.ts'

/** A database of its own, the tests' Redis, an address where no Redis answers, and a clock that the test sets. */
export async function openKeyStore() {
  const { db, drop } = await openTestDatabase<Tables>(migrations)
  const redis = connectRedis({ url: testServers().redisUrl, logger: silentLogger, commandTimeoutMs: 30_000 })
  if (!(await redisReady(redis, 30_000))) throw new Error('Redis is not ready')
  const unreachable = connectRedis({ url: 'redis://127.0.0.1:1', logger: silentLogger, commandTimeoutMs: 100 })
  const clock = { nowMs: Date.now() }
  return {
    db,
    clock,
    deps: testDeps(db, redis, clock),
    depsWithoutRedis: testDeps(db, unreachable, clock),
    redis,
    versionInRedis: (accountId: string, kid: string) => redis.hget(accountHashKey(accountId), keyVersionField(kid)),
    /** The events of a key in the order in which they were recorded. */
    listEvents: (keyId: string) =>
      db
        .selectFrom('outbox')
        .select(['envelope', 'version_field', 'version', 'sent_at'])
        .where('subject', '=', keyId)
        .orderBy('position')
        .execute(),
    close: async () => {
      redis.disconnect()
      unreachable.disconnect()
      await drop()
    },
  }
}
