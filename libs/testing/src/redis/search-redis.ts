import { connectRedis, type RedisClient, redisReady } from '@tapeline/service/redis'
import { silentLogger } from '../silent-logger.ts'

const TIMEOUT_MS = 60_000
const KEYS_AT_ONCE = 500

/** Keys whose name or value contains one of the texts, and the number of keys searched. */
export async function searchRedis(
  url: string,
  texts: readonly string[],
): Promise<{ searched: number; found: string[] }> {
  const redis = connectRedis({ url, logger: silentLogger, commandTimeoutMs: TIMEOUT_MS })
  const found: string[] = []
  let searched = 0
  try {
    await redisReady(redis, TIMEOUT_MS)
    let cursor = '0'
    do {
      const [next, keys] = await redis.scan(cursor, 'COUNT', KEYS_AT_ONCE)
      const contents = await Promise.all(keys.map((key) => contentOf(redis, key)))
      for (const [n, key] of keys.entries()) {
        if (texts.some((text) => key.includes(text) || contents[n]?.includes(text))) found.push(key)
      }
      searched += keys.length
      cursor = next
    } while (cursor !== '0')
  } finally {
    redis.disconnect()
  }
  return { searched, found }
}

/** Not DUMP, which compresses long texts. */
async function contentOf(redis: RedisClient, key: string): Promise<string> {
  const type = await redis.type(key)
  const readers: Record<string, () => Promise<unknown>> = {
    string: () => redis.get(key),
    hash: () => redis.hgetall(key),
    list: () => redis.lrange(key, 0, -1),
    set: () => redis.smembers(key),
    zset: () => redis.call('ZRANGE', key, '0', '-1', 'WITHSCORES'),
    stream: () => redis.xrange(key, '-', '+'),
    none: async () => '',
  }
  const read = readers[type]
  if (read === undefined) throw new Error(`${key} is a ${type}: unsupported type`)
  return JSON.stringify(await read())
}
