import { Breaker } from '@tapeline/service/breaker'

const CALLS_MIN = 10
/** Retries per call, and how many may be saved up for the moment when many connections turn out stale at once. */
const RETRY_SHARE = 0.1
const RETRIES_SAVED_MAX = 10

/** What the gateway knows of one service: whether it is worth asking, and how many calls may still be sent twice. */
export class UpstreamHealth {
  readonly breaker = new Breaker({ callsMin: CALLS_MIN })
  private retries = RETRIES_SAVED_MAX
  retried = 0
  spared = 0

  /** False: the service is given time, and the caller an answer at once. */
  allows(nowMs: number): boolean {
    if (!this.breaker.allows(nowMs)) {
      this.spared += 1
      return false
    }
    this.retries = Math.min(RETRIES_SAVED_MAX, this.retries + RETRY_SHARE)
    return true
  }

  /** True once for every ten calls: together with the first tries never more than 1.1 times what was asked. */
  takeRetry(): boolean {
    if (this.retries < 1 || this.breaker.isOpen) return false
    this.retries -= 1
    this.retried += 1
    return true
  }

  failed(): void {
    this.breaker.failed(performance.now())
  }

  /** An answer arrived; 502, 503 and 504 say that there is nobody behind it who could work. */
  answered(status: number, nowMs: number, sentMs: number): void {
    if (status >= 502 && status <= 504) this.breaker.failed(nowMs)
    else this.breaker.succeeded(nowMs, sentMs)
  }
}
