import { mostInWindow } from '@tapeline/testing/usage/most-in-window'
import { type Check, checkThat } from '../drill.ts'

export type SlowEvidence = {
  name: string
  windows: readonly { policy: string; windowMs: number; limit: number }[]
  gateways: number
  /** Admitted requests of an account whose limits were unused when Redis became slow. */
  admittedMs: readonly number[]
  requests: number
  degraded: number
  /** Requests of an account whose limit was full before. */
  requestsOfFull: number
  admittedOfFull: number
}

/** While Redis is slow a window admits its limit and one share per gateway, and a full one admits nothing. */
export function checkSlow(evidence: SlowEvidence): Check[] {
  const { name, windows, gateways, admittedMs, requests, requestsOfFull, admittedOfFull } = evidence
  const limited = windows.flatMap(({ policy, windowMs, limit }) => {
    const bound = limit + gateways * Math.max(1, Math.floor(limit / gateways))
    const most = mostInWindow(admittedMs, windowMs)
    return [
      checkThat(
        `${name}, ${policy}: at most the limit and one share per gateway`,
        most <= bound,
        `${most} admitted in one window of ${limit}, at most ${bound}`,
      ),
      checkThat(
        `${name}, ${policy}: more was requested than may be admitted`,
        requests > bound,
        `${requests} requests`,
      ),
    ]
  })
  return [
    ...limited,
    checkThat(`${name}: requests are still admitted`, admittedMs.length > 0, 'none'),
    checkThat(
      `${name}: a full limit stays full`,
      requestsOfFull > 0 && admittedOfFull === 0,
      `${admittedOfFull} of ${requestsOfFull} admitted`,
    ),
  ]
}
