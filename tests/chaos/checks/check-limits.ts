import { mostInWindow } from '@tapeline/testing/usage/most-in-window'
import { type Check, checkThat } from '../drill.ts'

export type LimitEvidence = {
  policy: string
  limit: number
  windowMs: number
  gateways: number
  /** When the limiter admitted requests, by its clock. */
  admittedMs: readonly number[]
  /** Admitted before the counters were lost, and how many of these audit had not counted yet. */
  usedAtLoss: number
  uncountedAtLoss: number
  requests: number
}

/**
 * The maximum admitted after the loss of Redis: the limit, one share of the rest per gateway, and requests not yet
 * counted by audit.
 */
export function boundOf({ limit, gateways, usedAtLoss, uncountedAtLoss }: LimitEvidence): number {
  const shares = gateways * Math.max(1, Math.ceil((limit - usedAtLoss) / gateways))
  return limit + shares + uncountedAtLoss
}

export function checkLimit(evidence: LimitEvidence): Check[] {
  const { policy, limit, windowMs, admittedMs, requests } = evidence
  const bound = boundOf(evidence)
  const most = mostInWindow(admittedMs, windowMs)
  return [
    checkThat(
      `${policy}: never more than the limit, the shares and what was not counted yet`,
      most <= bound,
      `${most} admitted in one window of ${limit}, at most ${bound}`,
    ),
    checkThat(
      `${policy}: more was requested than may be admitted`,
      requests > bound,
      `${requests} requested, at most ${bound}`,
    ),
  ]
}
