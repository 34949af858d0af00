import { plural, t } from '@lingui/core/macro'
import { formatNumber } from './number.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** A latency without its unit: 0.42, 23.4, 418 (milliseconds). */
export function formatMilliseconds(durationMs: number): string {
  if (durationMs < 1) return formatNumber(durationMs, 2)
  if (durationMs < 100) return formatNumber(durationMs, 1)
  return String(Math.round(durationMs))
}

/** 4 s, 12 min, 3 h, 6 days: one unit, rounded down, so that it never exceeds the actual duration. */
export function formatDuration(durationMs: number): string {
  if (durationMs < MINUTE_MS) return `${Math.max(0, Math.floor(durationMs / SECOND_MS))} s`
  if (durationMs < HOUR_MS) return `${Math.floor(durationMs / MINUTE_MS)} min`
  if (durationMs < DAY_MS) return `${Math.floor(durationMs / HOUR_MS)} h`
  const days = Math.floor(durationMs / DAY_MS)
  return plural(days, { one: '# day', other: '# days' })
}

/** "4 s ago", or "in 3 days" for a future time. */
export function formatAgo(time: string | number, nowMs: number): string {
  const passedMs = nowMs - new Date(time).getTime()
  if (Number.isNaN(passedMs)) return t`N/A`
  return passedMs >= 0 ? t`${formatDuration(passedMs)} ago` : t`in ${formatDuration(-passedMs)}`
}
