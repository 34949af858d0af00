import type { Period, PeriodQuery } from '@tapeline/contracts/audit/http'
import type { Deps } from '../deps.ts'
import { readTime, wrongPeriod } from '../lists/read-time.ts'
import { LEVEL_MS } from '../rollups/roll-up.ts'

/** A number of days up to now; by default up to seven days have buckets of an hour. */
export type LastDays = { days: number; unit?: 'day' }
/** A named period, a number of days up to now, or a range of whole minutes. */
export type RequestedPeriod = Period | LastDays | { from: Date; to: Date }

const CUSTOM_DAYS_MAX = 90

/**
 * Parses a query's period.
 * @throws AppError that names the field when the period is invalid
 */
export function readPeriod(
  { now, retention }: Pick<Deps, 'now' | 'retention'>,
  { period, from, to }: PeriodQuery,
  fallback: Period,
): RequestedPeriod {
  if (from === undefined) {
    if (to !== undefined) throw wrongPeriod('/from', 'from is required together with to.')
    return period ?? fallback
  }
  if (period !== undefined) throw wrongPeriod('/period', 'Give either period, or from and to.')
  const nowMs = now().getTime()
  const fromMs = Math.floor(readTime('/from', from).getTime() / LEVEL_MS.minute) * LEVEL_MS.minute
  const toMs = Math.ceil((to === undefined ? nowMs : readTime('/to', to).getTime()) / LEVEL_MS.minute) * LEVEL_MS.minute
  if (toMs >= nowMs + 2 * LEVEL_MS.minute) throw wrongPeriod('/to', 'to is in the future.')
  if (fromMs >= toMs) throw wrongPeriod('/to', 'to must be later than from.')
  if (fromMs < nowMs - retention.rowDays * LEVEL_MS.day) {
    throw wrongPeriod('/from', `from must lie within the last ${retention.rowDays} days.`)
  }
  if (toMs - fromMs > CUSTOM_DAYS_MAX * LEVEL_MS.day) {
    throw wrongPeriod('/to', `to must be at most ${CUSTOM_DAYS_MAX} days after from.`)
  }
  return { from: new Date(fromMs), to: new Date(toMs) }
}
