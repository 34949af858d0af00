import type { LimiterStore } from './redis/limiter-store.ts'

export const THROTTLE_WINDOW_MS = 60_000

/** Requests in the current window of a bucket, this one included, and milliseconds until the window ends. */
export type ThrottleCount = { current: number; ttl: number }

const COUNT = `
local n = redis.call('INCR', KEYS[1])
if n == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return {n, redis.call('PTTL', KEYS[1])}`
const LOCAL_KEYS_MAX = 10_000
/** A connection that is silent for this long is replaced. */
const LOST_AFTER_MS = 2_000

/** Counts requests by bucket in Redis; while Redis is unavailable each gateway process counts separately, so guessing stays slow. */
export class ThrottleStore {
  private readonly local = new Map<string, { count: number; untilMs: number }>()
  private silentFromMs = Infinity
  private readonly store: Pick<LimiterStore, 'send' | 'reconnect'>
  private readonly replyWithinMs: number

  constructor(store: Pick<LimiterStore, 'send' | 'reconnect'>, replyWithinMs: number) {
    this.store = store
    this.replyWithinMs = replyWithinMs
  }

  count(bucket: string, windowMs: number, onCounted: (count: ThrottleCount) => void): void {
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      this.noteSilence()
      onCounted(this.countHere(bucket, windowMs))
    }, this.replyWithinMs)
    this.store.send([['EVAL', COUNT, '1', `throttle:{${bucket}}`, String(windowMs)]], ([result]) => {
      clearTimeout(timer)
      this.silentFromMs = Infinity
      if (isLate) return
      const reply = result?.[1]
      onCounted(isPair(reply) ? { current: reply[0], ttl: reply[1] } : this.countHere(bucket, windowMs))
    })
  }

  private noteSilence(): void {
    const nowMs = performance.now()
    this.silentFromMs = Math.min(this.silentFromMs, nowMs)
    if (nowMs - this.silentFromMs < LOST_AFTER_MS) return
    this.silentFromMs = Infinity
    this.store.reconnect()
  }

  private countHere(bucket: string, windowMs: number): ThrottleCount {
    const nowMs = Date.now()
    const found = this.local.get(bucket)
    const counted = found !== undefined && found.untilMs > nowMs ? found : { count: 0, untilMs: nowMs + windowMs }
    counted.count += 1
    if (this.local.size >= LOCAL_KEYS_MAX) this.local.clear()
    this.local.set(bucket, counted)
    return { current: counted.count, ttl: counted.untilMs - nowMs }
  }
}

function isPair(reply: unknown): reply is [number, number] {
  return Array.isArray(reply) && typeof reply[0] === 'number' && typeof reply[1] === 'number'
}
