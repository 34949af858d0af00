import type { BucketUnit, Period } from '@tapeline/contracts/audit/http'
import type { AskedPeriod } from './read-period.ts'
import { LEVEL_MS } from './roll-up.ts'

type Shape = { unit: BucketUnit; count: number }
const SHAPES: Record<Period, Shape> = {
  '1h': { unit: 'minute', count: 60 },
  '24h': { unit: 'hour', count: 24 },
  '7d': { unit: 'hour', count: 168 },
  '30d': { unit: 'day', count: 30 },
  '90d': { unit: 'day', count: 90 },
}
/** So few days are shown by the hour. */
const DAYS_IN_HOURS_MAX = 7
const HOURS_PER_DAY = 24
/** A range of one's own has at most about two hundred buckets. */
const CUSTOM_IN_MINUTES_MS = 3 * LEVEL_MS.hour
const CUSTOM_IN_HOURS_MS = 8 * LEVEL_MS.day

type Zoned = Temporal.ZonedDateTime
/** Starts of a period's buckets; `end` of the last one, which may still run; `until` when the period's requests end. */
export type Buckets = { timeZone: string; unit: BucketUnit; starts: Zoned[]; end: Zoned; until: Zoned }

/** Minutes and hours by the clock, days from midnight to midnight where the account is: some have 23 or 25 hours. */
export function periodBuckets(period: AskedPeriod, timeZone: string, now: Date): Buckets {
  const here = zoned(now, knownTimeZone(timeZone))
  return isCustom(period) ? customBuckets(period, here) : namedBuckets(shapeOf(period), here)
}

/** The period of the same length before it, up to the same moment of its day or hour, as it is now. */
export function previousPeriod(period: AskedPeriod, { starts, until }: Buckets): { from: Zoned; to: Zoned } {
  const first = starts[0] ?? until
  if (isCustom(period)) return { from: first.subtract(first.until(until)), to: first }
  const { unit, count } = shapeOf(period)
  return { from: step(first, unit, -count), to: step(until, unit, -count) }
}

export function isCustom(period: AskedPeriod): period is { from: Date; to: Date } {
  return typeof period !== 'string' && 'from' in period
}

function shapeOf(period: Period | { days: number }): Shape {
  if (typeof period === 'string') return SHAPES[period]
  const { days } = period
  return days <= DAYS_IN_HOURS_MAX ? { unit: 'hour', count: days * HOURS_PER_DAY } : { unit: 'day', count: days }
}

export function rfc3339(time: Zoned): string {
  return time.toString({ timeZoneName: 'never', smallestUnit: 'millisecond' })
}

/** Starts of the buckets, and the end of the last one. */
export function edgesOf({ starts, end }: Pick<Buckets, 'starts' | 'end'>): number[] {
  return [...starts, end].map(({ epochMilliseconds }) => epochMilliseconds)
}

/** A period as one bucket. */
export function spanOf(edgesMs: readonly number[]): number[] {
  return [edgesMs[0] ?? 0, edgesMs.at(-1) ?? 0]
}

function namedBuckets({ unit, count }: Shape, here: Zoned): Buckets {
  const last = unit === 'day' ? here.startOfDay() : here.round({ smallestUnit: unit, roundingMode: 'floor' })
  const starts = Array.from({ length: count }, (_, n) => bucketAfter(last, unit, n - count + 1))
  return { timeZone: here.timeZoneId, unit, starts, end: bucketAfter(last, unit, 1), until: here }
}

/** The first and the last bucket are shorter where the range begins or ends within one. */
function customBuckets({ from, to }: { from: Date; to: Date }, here: Zoned): Buckets {
  const [first, end] = [zoned(from, here.timeZoneId), zoned(to, here.timeZoneId)]
  const unit = customUnit(to.getTime() - from.getTime())
  const floor = unit === 'day' ? first.startOfDay() : first.round({ smallestUnit: unit, roundingMode: 'floor' })
  const starts = [first]
  for (let n = 1, next = bucketAfter(floor, unit, n); isBefore(next, end); n += 1, next = bucketAfter(floor, unit, n)) {
    if (isBefore(first, next)) starts.push(next)
  }
  return { timeZone: here.timeZoneId, unit, starts, end, until: isBefore(here, end) ? here : end }
}

function customUnit(lengthMs: number): BucketUnit {
  if (lengthMs <= CUSTOM_IN_MINUTES_MS) return 'minute'
  return lengthMs <= CUSTOM_IN_HOURS_MS ? 'hour' : 'day'
}

function bucketAfter(from: Zoned, unit: BucketUnit, count: number): Zoned {
  return unit === 'day' ? step(from, unit, count).startOfDay() : step(from, unit, count)
}

function step(from: Zoned, unit: BucketUnit, count: number): Zoned {
  if (unit === 'day') return from.add({ days: count })
  return from.add(unit === 'hour' ? { hours: count } : { minutes: count })
}

function isBefore(a: Zoned, b: Zoned): boolean {
  return Temporal.ZonedDateTime.compare(a, b) < 0
}

function zoned(time: Date, timeZone: string): Zoned {
  return Temporal.Instant.fromEpochMilliseconds(time.getTime()).toZonedDateTimeISO(timeZone)
}

/** An account's time zone that this machine's tables do not know is shown as UTC rather than not at all. */
function knownTimeZone(timeZone: string): string {
  try {
    zoned(new Date(0), timeZone)
    return timeZone
  } catch {
    return 'UTC'
  }
}
