import { Redis } from 'ioredis'

const MICROS_PER_SECOND = 1_000_000

export type RedisFigures = { cpuMicros: () => Promise<number>; stop: () => Promise<void> }

/** CPU time of the Redis server, as it says itself. */
export function openRedisFigures(url: string): RedisFigures {
  const redis = new Redis(url)
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
