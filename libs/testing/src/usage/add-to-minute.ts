import { connectRedis, redisReady } from '@tapeline/service/redis'
import { silentLogger } from '../silent-logger.ts'

const TIMEOUT_MS = 30_000

/** `minute`: since 1970. `requests` may be negative. */
type Counted = { accountId: string; minute: number; requests: number }

/** Changes the limiter's count of admitted requests in a minute, in the format of decide.lua. */
export async function addToMinute(redisUrl: string, { accountId, minute, requests }: Counted): Promise<void> {
  const redis = connectRedis({ url: redisUrl, logger: silentLogger, commandTimeoutMs: TIMEOUT_MS })
  try {
    await redisReady(redis, TIMEOUT_MS)
    await redis.hincrby(`usage:{${accountId}}:${Math.floor(minute / 60)}`, `${minute}:session:admitted`, requests)
  } finally {
    redis.disconnect()
  }
}
