import type { FastifyRateLimitStore } from '@fastify/rate-limit'
import type { RedisClient } from '@tapeline/service/redis'

type Counted = (error: Error | null, result?: { current: number; ttl: number }) => void

const COUNT = `
local n = redis.call('INCR', KEYS[1])
if n == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return {n, redis.call('PTTL', KEYS[1])}`
const LOCAL_KEYS_MAX = 10_000

/** Buckets for @fastify/rate-limit in Redis; while it is away each gateway counts by itself, so that guessing stays slow. */
export function throttleStoreIn(redis: RedisClient) {
  const local = new Map<string, { count: number; untilMs: number }>()

  return class ThrottleStore implements FastifyRateLimitStore {
    incr(key: string, done: Counted, windowMs: number): void {
      redis.eval(COUNT, 1, `throttle:{${key}}`, windowMs).then(
        (reply) =>
          isPair(reply) ? done(null, { current: reply[0], ttl: reply[1] }) : done(null, countHere(key, windowMs)),
        () => done(null, countHere(key, windowMs)),
      )
    }

    child(): ThrottleStore {
      return this
    }
  }

  function countHere(key: string, windowMs: number): { current: number; ttl: number } {
    const nowMs = Date.now()
    const found = local.get(key)
    const bucket = found !== undefined && found.untilMs > nowMs ? found : { count: 0, untilMs: nowMs + windowMs }
    bucket.count += 1
    if (local.size >= LOCAL_KEYS_MAX) local.clear()
    local.set(key, bucket)
    return { current: bucket.count, ttl: bucket.untilMs - nowMs }
  }
}

function isPair(reply: unknown): reply is [number, number] {
  return Array.isArray(reply) && typeof reply[0] === 'number' && typeof reply[1] === 'number'
}
