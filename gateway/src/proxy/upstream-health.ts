import { Breaker } from '@tapeline/service/calls/breaker'

const CALLS_MIN = 10
/** Retries per request, and how many may be saved for a moment when many pooled connections are stale. */
const RETRY_SHARE = 0.1
const RETRIES_SAVED_MAX = 10

/** The health of one service: its circuit breaker and its retry budget. */
export class UpstreamHealth {
  readonly breaker = new Breaker({ callsMin: CALLS_MIN })
  private retries = RETRIES_SAVED_MAX
  retried = 0
  breakerRejected = 0

  /** False: the breaker is open, and the caller gets an immediate answer. */
  allows(nowMs: number): boolean {
    if (!this.breaker.allows(nowMs)) {
      this.breakerRejected += 1
      return false
    }
    this.retries = Math.min(RETRIES_SAVED_MAX, this.retries + RETRY_SHARE)
    return true
  }

  /** True at most once for every ten requests: first attempts and retries together are at most 1.1 times the requests. */
  takeRetry(): boolean {
    if (this.retries < 1 || this.breaker.isOpen) return false
    this.retries -= 1
    this.retried += 1
    return true
  }

  failed(): void {
    this.breaker.failed(performance.now())
  }

  /** An answer arrived; 502, 503 and 504 count as failures of the service. */
  answered(status: number, nowMs: number, sentMs: number): void {
    if (status >= 502 && status <= 504) this.breaker.failed(nowMs)
    else this.breaker.succeeded(nowMs, sentMs)
  }
}
