import { check, checkThat, type Outcome } from '../drill.ts'
import type { ClientRequest } from '../history.ts'

/** A request that the open breaker of a gateway rejected. */
export type Rejection = { startMs: number; endMs: number; requestId: string; retryAfter: string | null }
export type UpstreamEvidence = {
  /** Ids of the requests that reached the service while a part of them, or all, failed; a retry repeats its id. */
  partly: readonly string[]
  whole: readonly string[]
  /** Requests of clients from the beginning to the end of the outage. */
  requests: readonly ClientRequest[]
  /** By gateway. */
  rejections: readonly (readonly Rejection[])[]
  outage: { startMs: number; endMs: number }
  gateways: number
}

const RETRIED_MAX = 1.1
const STOPPED_MIN = 0.99
const EFFECT_AFTER_MS = 1_000

/** Retries stay in their budget, and an open breaker stops nearly all requests. */
export function checkUpstream({ partly, whole, requests, rejections, outage, gateways }: UpstreamEvidence): Outcome {
  const distinct = new Set(partly).size
  const openedMs = Math.max(
    ...rejections.map((list) =>
      Math.min(...list.filter(({ startMs }) => startMs >= outage.startMs).map(({ endMs }) => endMs)),
    ),
  )
  const reached = new Set(whole)
  const later = requests.filter(({ startMs }) => startMs >= openedMs + EFFECT_AFTER_MS)
  const through = later.filter(({ requestId }) => requestId === undefined || reached.has(requestId)).length
  const stopped = later.length === 0 ? 0 : 1 - through / later.length
  const silent = rejections.flat().filter(({ retryAfter }) => !(Number(retryAfter) > 0))
  return {
    checks: [
      checkThat(
        `the service receives at most ${RETRIED_MAX} times the requests, and one per gateway`,
        partly.length <= RETRIED_MAX * distinct + gateways,
        `${partly.length} of ${distinct} requests`,
      ),
      checkThat('failed requests are retried', partly.length > distinct, `${partly.length} of ${distinct} requests`),
      checkThat(
        `one second after the breakers opened, ${STOPPED_MIN * 100} % of requests do not reach the service`,
        later.length > 0 && stopped >= STOPPED_MIN,
        `${through} of ${later.length} reached it`,
      ),
      check(
        'every request that a breaker rejects is answered with Retry-After',
        silent.map(({ requestId }) => requestId),
      ),
    ],
    figures: {
      requests: distinct,
      received: partly.length,
      retried: Math.round((1_000 * partly.length) / distinct) / 1_000,
      openedAfterMs: openedMs - outage.startMs,
      askedWhileOpen: later.length,
      reachedWhileOpen: through,
      stopped: Math.floor(stopped * 10_000) / 10_000,
    },
  }
}
