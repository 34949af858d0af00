import { createRequire } from 'node:module'

type SentRequest = { sentAt: number; requestTimeout: number; timeoutRequest: () => void }
/** The part of kafkajs that keeps the requests of one connection. */
export type RequestQueue = {
  pending: unknown[]
  inflight: Map<number, SentRequest>
  /** Milliseconds since the epoch; in the past unless the broker throttles. */
  throttledUntil: number
  throttleCheckTimeoutId: NodeJS.Timeout | null
  checkPendingRequests: () => void
  scheduleCheckPendingRequests: () => void
  scheduleRequestTimeoutCheck: () => void
  isConnected: () => boolean
  destroy: () => void
}

const CHECK_EVERY_MS = 10
/** Much less than the shortest request timeout. */
const TIMEOUTS_EVERY_MS = 1_000
/** Queues of open connections, for which one timer looks for requests without a response. */
const watched = new Set<RequestQueue>()
let timeouts: NodeJS.Timeout | undefined

/**
 * kafkajs 2.2.4 looks for waiting requests on each connection every millisecond, even when there are none
 * (https://github.com/tulios/kafkajs/issues/1704). After this call it looks only while requests wait or the broker throttles.
 * It also sets a timer of 100 ms per connection to find requests that took too long; one timer of a second replaces them.
 */
export function stopIdleTimers(): { prototype: RequestQueue } {
  const queue: { prototype: RequestQueue } = createRequire(import.meta.url)('kafkajs/src/network/requestQueue')
  queue.prototype.scheduleCheckPendingRequests = scheduleCheck
  queue.prototype.scheduleRequestTimeoutCheck = watchTimeouts
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

function watchTimeouts(this: RequestQueue): void {
  watched.add(this)
  timeouts ??= setInterval(endLateRequests, TIMEOUTS_EVERY_MS).unref()
}

function endLateRequests(): void {
  const now = Date.now()
  for (const queue of watched) {
    for (const request of queue.inflight.values()) {
      if (now - request.sentAt > request.requestTimeout) request.timeoutRequest()
    }
    if (queue.isConnected()) continue
    watched.delete(queue)
    queue.destroy()
  }
  if (watched.size > 0) return
  clearInterval(timeouts)
  timeouts = undefined
}
