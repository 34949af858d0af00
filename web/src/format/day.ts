import { dateFormat } from './locale.ts'

const DAY_MS = 86_400_000
const DATE = /^\d{4}-\d\d-\d\d$/
const EARLIEST = '1970'

/** A day in UTC such as `2026-11-19`, plus a number of days (negative: earlier). */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10)
}

/** How many days `to` is after `from`. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS)
}

/** Every day from the first to the last, inclusive. */
export function eachDay(first: string, last: string): string[] {
  const count = daysBetween(first, last) + 1
  return Array.from({ length: Math.max(0, count) }, (_, n) => addDays(first, n))
}

/** The UTC day of an RFC 3339 time. */
export function dayOfTime(time: string): string {
  return time.slice(0, 10)
}

/** A day from a URL; undefined if the calendar does not have it, or if it is before 1970. */
export function parseDay(text: string | null): string | undefined {
  if (text === null || !DATE.test(text) || Number.isNaN(Date.parse(text))) return undefined
  // Browsers read 31 February as 3 March.
  return text >= EARLIEST && addDays(text, 0) === text ? text : undefined
}

/** 19 Nov */
export function formatDay(date: string): string {
  return dateFormat({ day: 'numeric', month: 'short', timeZone: 'UTC' }).format(new Date(date))
}

/** Thu */
export function formatWeekday(date: string): string {
  return dateFormat({ weekday: 'short', timeZone: 'UTC' }).format(new Date(date))
}

/** November, or Nov */
export function formatMonthName(date: string, length: 'long' | 'short'): string {
  return dateFormat({ month: length, timeZone: 'UTC' }).format(new Date(date))
}
