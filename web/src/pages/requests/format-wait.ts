import { plural } from '@lingui/core/macro'
import { formatNumber } from '../../format/number.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** 1.284 s, 12 min, 3.5 h: a waiting time, rounded up where it has no decimals. */
export function formatWait(waitMs: number): string {
  if (waitMs < 2 * MINUTE_MS) return `${formatNumber(waitMs / SECOND_MS, 3)} s`
  if (waitMs < HOUR_MS) return `${Math.ceil(waitMs / MINUTE_MS)} min`
  if (waitMs < 2 * DAY_MS) return `${formatNumber(waitMs / HOUR_MS, 1)} h`
  return plural(Number((waitMs / DAY_MS).toFixed(1)), { one: '# day', other: '# days' })
}
