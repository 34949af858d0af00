import { connectRedis, redisReady } from '@tapeline/service/redis'
import { silentLogger } from '../silent-logger.ts'

const TIMEOUT_MS = 30_000

/** Deletes all data of a Redis that belongs to the test. */
export async function emptyRedis(redisUrl: string): Promise<void> {
  const redis = connectRedis({ url: redisUrl, logger: silentLogger, commandTimeoutMs: TIMEOUT_MS })
  try {
    await redisReady(redis, TIMEOUT_MS)
    await redis.flushall('SYNC')
  } finally {
    redis.disconnect()
  }
}
