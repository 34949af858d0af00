import { connectRedis, redisReady } from '@tapeline/service/redis'
import { silentLogger } from '@tapeline/testing/silent-logger'

const MICROS_PER_SECOND = 1_000_000
const READY_WITHIN_MS = 60_000

export type RedisFigures = { cpuMicros: () => Promise<number>; stop: () => Promise<void> }

/** CPU time of the Redis server, as it says itself. */
export async function openRedisFigures(url: string): Promise<RedisFigures> {
  const redis = connectRedis({ url, logger: silentLogger, commandTimeoutMs: null })
  await redisReady(redis, READY_WITHIN_MS)
  return {
    async cpuMicros() {
      const text = await redis.info('cpu')
      const seconds = ['used_cpu_user', 'used_cpu_sys'].map((name) =>
        Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(text)?.[1] ?? '0'),
      )
      return seconds.reduce((sum, one) => sum + one, 0) * MICROS_PER_SECOND
    },
    stop: async () => redis.disconnect(),
  }
}
