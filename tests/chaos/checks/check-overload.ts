import { countStatuses } from './check-answers.ts'
import { type Check, checkThat } from '../drill.ts'
import type { ClientRequest, Fault } from '../history.ts'
import { quantileOf } from '../quantile-of.ts'

/** Factor between the requested rate and the maximum rate of a gateway. */
export const TIMES = 3
const GOODPUT_MIN = 0.9
/**
 * Required share of served requests before and after: a slot is free only a moment after its answer, and the next
 * request arrives at once.
 */
const SERVED_MIN = 0.99
const PRO_SHARE_MIN = 0.994
const P99_MAX_MS = 250
export const NORMAL_WITHIN_MS = 5_000

export type Phase = Pick<Fault, 'startMs' | 'endMs'>
export type OverloadEvidence = {
  pro: readonly ClientRequest[]
  free: readonly ClientRequest[]
  /** Load below capacity; several times that; the first load again. */
  full: Phase
  overload: Phase
  afterwards: Phase
}

/**
 * Permitted effects of an overload: free callers get a 503 with Retry-After. All others are served, and afterwards
 * everything is normal.
 */
export function checkOverload(evidence: OverloadEvidence): { checks: Check[]; figures: Record<string, number> } {
  const { before, crowd, odd, rejected, atFull, inOverload, times, paying, payingServed, p99Ms } = measure(evidence)
  const goodput = inOverload / atFull
  const { normalAfterMs, again } = recovery(evidence)
  return {
    checks: [
      checkThat(
        `before it almost no request is rejected: at least ${SERVED_MIN} are served`,
        before.filter(isServed).length >= SERVED_MIN * before.length,
        JSON.stringify(countStatuses(before)),
      ),
      checkThat(
        `the load was an overload: ${TIMES} times the rate served before, and some requests were rejected`,
        times >= TIMES && rejected > 0,
        `${times.toFixed(2)} times, ${rejected} of ${crowd.length} rejected`,
      ),
      checkThat(
        'radius: only free callers are rejected, by a 503 with Retry-After',
        odd.length === 0,
        `${odd.length} others of ${crowd.length}: ${[...new Set(odd.map(({ status }) => status ?? 'no answer'))].join(', ')}`,
      ),
      checkThat(
        `goodput: at least ${GOODPUT_MIN} of the rate served before`,
        goodput >= GOODPUT_MIN,
        `${inOverload.toFixed(1)} a second of ${atFull.toFixed(1)}`,
      ),
      checkThat(
        `pro: at least ${PRO_SHARE_MIN} are served`,
        paying.length > 0 && payingServed >= PRO_SHARE_MIN * paying.length,
        `${payingServed} of ${paying.length}`,
      ),
      checkThat(`99 of 100 served within ${P99_MAX_MS} ms`, p99Ms <= P99_MAX_MS, `${p99Ms} ms`),
      checkThat(
        `normal afterwards: ${NORMAL_WITHIN_MS} ms later at least ${SERVED_MIN} are served, all of pro, and as many as before`,
        normalAfterMs <= NORMAL_WITHIN_MS && again >= GOODPUT_MIN * atFull,
        `reached after ${normalAfterMs} ms; then ${again.toFixed(1)} a second of ${atFull.toFixed(1)}`,
      ),
    ],
    figures: {
      times: rounded(times),
      fullPerSecond: rounded(atFull),
      servedPerSecond: rounded(inOverload),
      goodput: rounded(goodput),
      free: crowd.length,
      turnedAway: rejected,
      pro: paying.length,
      proServed: payingServed,
      p99Ms,
      normalAfterMs,
    },
  }
}

function measure({ pro, free, full, overload }: OverloadEvidence) {
  const all = [...pro, ...free]
  const crowd = began(free, overload)
  const paying = began(pro, overload)
  const atFull = served(all, full)
  const durations = began(all, overload)
    .filter(isServed)
    .map(({ startMs, endMs }) => endMs - startMs)
  return {
    before: began(all, full),
    crowd,
    odd: crowd.filter(({ status, retryAfter }) => status !== 200 && !(status === 503 && Number(retryAfter) > 0)),
    rejected: crowd.filter(({ status }) => status === 503).length,
    atFull,
    inOverload: served(all, overload),
    times: began(all, overload).length / secondsOf(overload) / atFull,
    paying,
    payingServed: paying.filter(isServed).length,
    p99Ms: quantileOf(durations, 0.99) ?? Infinity,
  }
}

/** When rejections have practically ended, and the required goodput per second from then on. */
function recovery({ pro, free, overload, afterwards }: OverloadEvidence) {
  const all = [...pro, ...free]
  const from = (startMs: number, requests: readonly ClientRequest[]): ClientRequest[] =>
    began(requests, { startMs, endMs: afterwards.endMs })
  const isNormalFrom = (startMs: number): boolean => {
    const requests = from(startMs, all)
    // Pro callers were not rejected before the overload either.
    return requests.filter(isServed).length >= SERVED_MIN * requests.length && from(startMs, pro).every(isServed)
  }
  const late = from(overload.endMs, all).filter((one) => !isServed(one))
  const moments = [overload.endMs, ...late.map(({ startMs }) => startMs + 1)].toSorted((one, other) => one - other)
  return {
    normalAfterMs: (moments.find(isNormalFrom) ?? afterwards.endMs) - overload.endMs,
    again: served(all, { startMs: overload.endMs + NORMAL_WITHIN_MS, endMs: afterwards.endMs }),
  }
}

function began(requests: readonly ClientRequest[], phase: Phase): ClientRequest[] {
  return requests.filter(({ startMs }) => startMs >= phase.startMs && startMs < phase.endMs)
}

/** Successful answers per second. */
export function served(requests: readonly ClientRequest[], phase: Phase): number {
  const good = requests.filter((one) => isServed(one) && one.endMs >= phase.startMs && one.endMs < phase.endMs)
  return good.length / secondsOf(phase)
}

function isServed({ status }: ClientRequest): boolean {
  return status === 200
}

function secondsOf({ startMs, endMs }: Phase): number {
  return (endMs - startMs) / 1_000
}

function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000
}
