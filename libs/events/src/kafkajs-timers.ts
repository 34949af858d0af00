import { createRequire } from 'node:module'

/** The part of kafkajs that keeps the requests of one connection. */
export type RequestQueue = {
  pending: unknown[]
  /** Milliseconds since the epoch; in the past unless the broker throttles. */
  throttledUntil: number
  throttleCheckTimeoutId: NodeJS.Timeout | null
  checkPendingRequests: () => void
  scheduleCheckPendingRequests: () => void
}

const CHECK_EVERY_MS = 10

/**
 * kafkajs 2.2.4 looks for waiting requests on each connection every millisecond, even when there are none
 * (https://github.com/tulios/kafkajs/issues/1704). After this call it looks only while requests wait or the broker throttles.
 */
export function stopIdleTimers(): { prototype: RequestQueue } {
  const queue: { prototype: RequestQueue } = createRequire(import.meta.url)('kafkajs/src/network/requestQueue')
  queue.prototype.scheduleCheckPendingRequests = scheduleCheck
  return queue
}

function scheduleCheck(this: RequestQueue): void {
  const throttledMs = this.throttledUntil - Date.now()
  if (this.throttleCheckTimeoutId !== null || (this.pending.length === 0 && throttledMs <= 0)) return
  const check = () => {
    this.throttleCheckTimeoutId = null
    this.checkPendingRequests()
  }
  this.throttleCheckTimeoutId = setTimeout(check, throttledMs > 0 ? throttledMs : CHECK_EVERY_MS)
}
