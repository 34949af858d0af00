import type { FastifyRateLimitStore } from '@fastify/rate-limit'
import type { LimiterStore } from './limiter-store.ts'

export type ThrottleStore = ReturnType<typeof throttleStoreIn>
type Counted = (error: Error | null, result?: { current: number; ttl: number }) => void

const COUNT = `
local n = redis.call('INCR', KEYS[1])
if n == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return {n, redis.call('PTTL', KEYS[1])}`
const LOCAL_KEYS_MAX = 10_000
/** Silent for so long, the connection is made anew. */
const LOST_AFTER_MS = 2_000

/** Buckets for @fastify/rate-limit in Redis; while it is away each gateway counts by itself, so that guessing stays slow. */
export function throttleStoreIn(store: Pick<LimiterStore, 'send' | 'reconnect'>, replyWithinMs: number) {
  const local = new Map<string, { count: number; untilMs: number }>()
  let silentFromMs = Infinity

  return class Counter implements FastifyRateLimitStore {
    incr(key: string, done: Counted, windowMs: number): void {
      let isLate = false
      const timer = setTimeout(() => {
        isLate = true
        noteSilence()
        done(null, countHere(key, windowMs))
      }, replyWithinMs)
      store.send([['EVAL', COUNT, '1', `throttle:{${key}}`, String(windowMs)]], ([result]) => {
        clearTimeout(timer)
        silentFromMs = Infinity
        if (isLate) return
        const reply = result?.[1]
        done(null, isPair(reply) ? { current: reply[0], ttl: reply[1] } : countHere(key, windowMs))
      })
    }

    child(): Counter {
      return this
    }
  }

  function noteSilence(): void {
    const nowMs = performance.now()
    silentFromMs = Math.min(silentFromMs, nowMs)
    if (nowMs - silentFromMs < LOST_AFTER_MS) return
    silentFromMs = Infinity
    store.reconnect()
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
