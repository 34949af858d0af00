import { connectRedis, redisReady } from '@tapeline/service/redis'
import { silentLogger } from '../silent-logger.ts'

const TIMEOUT_MS = 30_000

/** When the last lease of an account's requests in flight ends, in ms since 1970 by the clock of Redis. */
export async function leasesEndOf(redisUrl: string, accountId: string): Promise<number> {
  const redis = connectRedis({ url: redisUrl, logger: silentLogger, commandTimeoutMs: TIMEOUT_MS })
  try {
    await redisReady(redis, TIMEOUT_MS)
    const [, endMs] = await redis.zrange(`leases:{${accountId}}`, '-1', '-1', 'WITHSCORES')
    if (endMs === undefined) throw new Error('the account has no leases')
    return Number(endMs)
  } finally {
    redis.disconnect()
  }
}
