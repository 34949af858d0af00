import { dayOf, dayStart } from '../nanoseconds.ts'

const NS_DIGITS = 19

/** Records by UTC day, in their order. Most have the day of the one before, which a comparison of digits shows. */
export function splitByDay<T extends { tsEvent: string }>(records: readonly T[]): Map<number, T[]> {
  const days = new Map<number, T[]>()
  let current: T[] = []
  let [start, end] = ['', '']
  for (const record of records) {
    const { tsEvent } = record
    if (tsEvent.length !== NS_DIGITS || tsEvent < start || tsEvent >= end) {
      const day = dayOf(tsEvent)
      start = String(dayStart(day))
      end = String(dayStart(day + 1))
      current = days.get(day) ?? []
      days.set(day, current)
    }
    current.push(record)
  }
  return days
}
