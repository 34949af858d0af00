import type { PlatformStatus } from '@tapeline/contracts/audit/status'

/** The published objectives: the time for 99 of 100 requests, and the share of requests that are answered. */
export const TARGET_MS = 100
export const PROMISED_SHARE = 0.999

export type Verdict = 'kept' | 'missed' | 'not_measured'

type Measured = { availability: number | null; latency: Pick<PlatformStatus['latency'], 'p99_ms'> }

/** Compares each objective with its measurement; without one it is neither met nor missed. */
export function evaluateTargets({ availability, latency: { p99_ms } }: Measured): {
  uptime: Verdict
  response: Verdict
} {
  return {
    uptime: verdict(availability, (share) => share >= PROMISED_SHARE),
    response: verdict(p99_ms, (ms) => ms <= TARGET_MS),
  }
}

function verdict(measured: number | null, isKept: (measured: number) => boolean): Verdict {
  if (measured === null) return 'not_measured'
  return isKept(measured) ? 'kept' : 'missed'
}
