import { throttleAddress } from './client-address.ts'

const BLOCKED_MAX = 10_000

/** Addresses whose wrong credentials have filled their bucket, until it is empty again: a right key is let in all the same. */
export class FailureBucket {
  private readonly blocked = new Map<string, number>()

  block(address: string, forMs: number): void {
    if (this.blocked.size >= BLOCKED_MAX) this.blocked.clear()
    this.blocked.set(throttleAddress(address), Date.now() + forMs)
  }

  /** 0: not blocked. */
  blockedForMs(address: string): number {
    if (this.blocked.size === 0) return 0
    const key = throttleAddress(address)
    const leftMs = (this.blocked.get(key) ?? 0) - Date.now()
    if (leftMs > 0) return leftMs
    this.blocked.delete(key)
    return 0
  }
}
