import { addDays, daysBetween, eachDay, formatMonthName } from '../../../format/day.ts'
import type { Days } from '../downloads.queries.ts'

export type AxisLabel = { key: string; text: string; leftPercent: number }

/** Approximate width of a month's name in percent of a phone's width: long and short form. */
const ROOM_PERCENT = { long: 24, short: 8 } as const
const DAYS_WITH_WEEKS = 120

/** Names of months where they begin; the first day's month only if there is room before the next one. */
export function monthLabels({ first, last }: Days): AxisLabel[] {
  const length = isLong({ first, last }) ? 'short' : 'long'
  const starts = eachDay(first, last).filter((date) => date === first || date.endsWith('-01'))
  const labels = starts.map((date) => ({
    key: date,
    text: formatMonthName(date, length),
    leftPercent: leftPercent(date, { first, last }),
  }))
  return labels.filter(({ leftPercent: left }, n) => (labels[n + 1]?.leftPercent ?? 100) - left >= ROOM_PERCENT[length])
}

/** Days of the month at each Monday; of a long span none. */
export function weekLabels(days: Days): AxisLabel[] {
  if (isLong(days)) return []
  const mondays = eachDay(addDays(days.first, 1), addDays(days.last, -3)).filter(
    (date) => new Date(date).getUTCDay() === 1,
  )
  return mondays.map((date) => ({
    key: date,
    text: String(Number(date.slice(8))),
    leftPercent: leftPercent(date, days),
  }))
}

function isLong({ first, last }: Days): boolean {
  return daysBetween(first, last) > DAYS_WITH_WEEKS
}

function leftPercent(date: string, { first, last }: Days): number {
  return (daysBetween(first, date) / (daysBetween(first, last) + 1)) * 100
}
