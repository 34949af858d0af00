import type { Period } from '@tapeline/contracts/audit/http'
import { floorTo, LEVEL_MS } from '../rollups/roll-up.ts'

const PERIOD_MS: Record<Period, number> = {
  '1h': LEVEL_MS.hour,
  '24h': LEVEL_MS.day,
  '7d': 7 * LEVEL_MS.day,
  '30d': 30 * LEVEL_MS.day,
  '90d': 90 * LEVEL_MS.day,
}

/** Length of a named period in milliseconds; a day is 24 hours. */
export function periodMs(period: Period | { days: number }): number {
  return typeof period === 'string' ? PERIOD_MS[period] : period.days * LEVEL_MS.day
}

/**
 * Start of a named period, in milliseconds since 1970: its length before the current minute. All usage calls and the
 * request log use it, so that the same period covers the same requests.
 */
export function periodStartMs(period: Period | { days: number }, nowMs: number): number {
  return floorTo('minute', nowMs) - periodMs(period)
}
