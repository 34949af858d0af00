import { connectRedis, redisReady } from '@tapeline/service/redis'
import { silentLogger } from '../silent-logger.ts'

const TIMEOUT_MS = 30_000

/** Requests that the limiter counted for an account, with any decision: the sum of its minute counters. */
export async function usageCellsOf(redisUrl: string, accountId: string): Promise<number> {
  const redis = connectRedis({ url: redisUrl, logger: silentLogger, commandTimeoutMs: TIMEOUT_MS })
  try {
    await redisReady(redis, TIMEOUT_MS)
    const hours = await redis.keys(`usage:{${accountId}}:*`)
    const cells = await Promise.all(hours.map((key) => redis.hvals(key)))
    return cells.flat().reduce((sum, count) => sum + Number(count), 0)
  } finally {
    redis.disconnect()
  }
}
