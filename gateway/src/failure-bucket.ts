import { throttleAddress } from './client-address.ts'

const BLOCKED_MAX = 10_000

/** Addresses whose wrong credentials have filled their bucket, until it is empty again. */
export class FailureBucket {
  private readonly blocked = new Map<string, number>()

  block(address: string, forMs: number): void {
    if (this.blocked.size >= BLOCKED_MAX) this.blocked.clear()
    this.blocked.set(throttleAddress(address), Date.now() + forMs)
  }

  isBlocked(address: string): boolean {
    if (this.blocked.size === 0) return false
    const key = throttleAddress(address)
    const untilMs = this.blocked.get(key)
    if (untilMs === undefined) return false
    if (untilMs > Date.now()) return true
    this.blocked.delete(key)
    return false
  }
}
