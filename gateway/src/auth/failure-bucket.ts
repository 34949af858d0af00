import { type Problem, tooManyFailures } from '../problems/problem.ts'
import { THROTTLE_WINDOW_MS, type ThrottleStore } from '../limiter/throttle-store.ts'

const BLOCKED_MAX = 10_000

/**
 * Counts wrong credentials by address. Once the bucket of an address is full, its wrong credentials get a 429 and are
 * no longer counted; valid ones are still admitted. An address is an IPv4 address or the /64 of an IPv6 address.
 */
export class FailureBucket {
  private readonly blocked = new Map<string, number>()
  private readonly store: ThrottleStore
  private readonly maxPerMinute: number

  constructor(store: ThrottleStore, maxPerMinute: number) {
    this.store = store
    this.maxPerMinute = maxPerMinute
  }

  /** Counts one failure; invokes `onCounted` with a problem when the bucket is full. */
  count(address: string, onCounted: (full: Problem | undefined) => void): void {
    this.store.count(`failure:${address}`, THROTTLE_WINDOW_MS, ({ current, ttl }) => {
      if (current <= this.maxPerMinute) {
        onCounted(undefined)
        return
      }
      this.block(address, ttl)
      onCounted(tooManyFailures(ttl))
    })
  }

  /** 0: not blocked. */
  blockedForMs(address: string): number {
    if (this.blocked.size === 0) return 0
    const blockedMs = (this.blocked.get(address) ?? 0) - Date.now()
    if (blockedMs > 0) return blockedMs
    this.blocked.delete(address)
    return 0
  }

  private block(address: string, forMs: number): void {
    if (this.blocked.size >= BLOCKED_MAX) this.blocked.clear()
    this.blocked.set(address, Date.now() + forMs)
  }
}
