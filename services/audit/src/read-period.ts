import type { Period, PeriodQuery } from '@tapeline/contracts/audit/http'
import { AppError } from '@tapeline/service/app-error'
import type { Deps } from './deps.ts'
import { LEVEL_MS } from './roll-up.ts'

/** A named period, so many days up to now, or a range of whole minutes. */
export type AskedPeriod = Period | { days: number } | { from: Date; to: Date }

const CUSTOM_DAYS_MAX = 90

/** What a query asks for; throws with the name of the field when that cannot be answered. */
export function readPeriod(
  { now, retention }: Pick<Deps, 'now' | 'retention'>,
  { period, from, to }: PeriodQuery,
  fallback: Period,
): AskedPeriod {
  if (from === undefined) {
    if (to !== undefined) throw invalid('/from', 'from is required together with to.')
    return period ?? fallback
  }
  if (period !== undefined) throw invalid('/period', 'Give either period, or from and to.')
  const nowMs = now().getTime()
  const fromMs = Math.floor(timeOf('/from', from) / LEVEL_MS.minute) * LEVEL_MS.minute
  const toMs = Math.ceil((to === undefined ? nowMs : timeOf('/to', to)) / LEVEL_MS.minute) * LEVEL_MS.minute
  if (toMs >= nowMs + 2 * LEVEL_MS.minute) throw invalid('/to', 'to lies in the future.')
  if (fromMs >= toMs) throw invalid('/to', 'to must be later than from.')
  if (fromMs < nowMs - retention.rowDays * LEVEL_MS.day) {
    throw invalid('/from', `from must lie within the last ${retention.rowDays} days.`)
  }
  if (toMs - fromMs > CUSTOM_DAYS_MAX * LEVEL_MS.day) {
    throw invalid('/to', `to must be at most ${CUSTOM_DAYS_MAX} days after from.`)
  }
  return { from: new Date(fromMs), to: new Date(toMs) }
}

/** A leap second has the right form and is no time that a clock here knows. */
function timeOf(field: string, text: string): number {
  const timeMs = Date.parse(text)
  if (Number.isNaN(timeMs)) throw invalid(field, `${field.slice(1)} is not a time that exists.`)
  return timeMs
}

function invalid(field: string, message: string): AppError {
  return new AppError('period.invalid', message, { errors: [{ field, message }] })
}
