import type { BucketUnit, Period } from '@tapeline/contracts/audit/http'
import { periodMs, periodStartMs } from './period-start.ts'
import type { LastDays, RequestedPeriod } from './read-period.ts'
import { LEVEL_MS } from '../rollups/roll-up.ts'

/** Length of the buckets of a named period. */
const UNITS: Record<Period, BucketUnit> = { '1h': 'minute', '24h': 'hour', '7d': 'hour', '30d': 'day', '90d': 'day' }
/** Ranges up to this many days have buckets of an hour. */
const DAYS_IN_HOURS_MAX = 7
/** Keeps a custom range to about two hundred buckets. */
const CUSTOM_IN_MINUTES_MS = 3 * LEVEL_MS.hour
const CUSTOM_IN_HOURS_MS = 8 * LEVEL_MS.day

type Zoned = Temporal.ZonedDateTime
/**
 * Starts of a period's buckets; `end` of the last one, which may be in progress; `until`: end of the period's
 * requests.
 */
export type Buckets = { timeZone: string; unit: BucketUnit; starts: Zoned[]; end: Zoned; until: Zoned }
type Span = { from: Zoned; end: Zoned; unit: BucketUnit }

/**
 * Minutes, hours, and days from midnight to midnight in the account's time zone, some of which have 23 or 25 hours.
 * The first and the last bucket are shorter where the period begins or ends within one.
 */
export function periodBuckets(period: RequestedPeriod, timeZone: string, now: Date): Buckets {
  const here = zoned(now, timeZoneOrUtc(timeZone))
  const span = isCustom(period) ? customSpan(period, here) : namedSpan(period, here)
  const { end, unit } = span
  return { timeZone: here.timeZoneId, unit, starts: startsIn(span), end, until: isBefore(here, end) ? here : end }
}

/** The preceding period of the same length. */
export function previousPeriod(period: RequestedPeriod, { starts, until }: Buckets): { from: Zoned; to: Zoned } {
  const first = starts[0] ?? until
  const lengthMs = isCustom(period) ? until.epochMilliseconds - first.epochMilliseconds : periodMs(period)
  return { from: first.subtract({ milliseconds: lengthMs }), to: first }
}

/** Whether a bucket is cut by the start of the period, by its end or by the current time. */
export function isPartial({ starts, until, unit }: Buckets, n: number): boolean {
  const start = starts[n] ?? until
  if (isBefore(floorOf(start, unit), start)) return true
  return n === starts.length - 1 && isBefore(until, bucketAfter(start, unit, 1))
}

export function isCustom(period: RequestedPeriod): period is { from: Date; to: Date } {
  return typeof period !== 'string' && 'from' in period
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

/** Span of a named period, which ends with the current minute. */
function namedSpan(period: Period | LastDays, here: Zoned): Span {
  const fromMs = periodStartMs(period, here.epochMilliseconds)
  const minute = here.round({ smallestUnit: 'minute', roundingMode: 'floor' })
  return { from: zoned(new Date(fromMs), here.timeZoneId), end: minute.add({ minutes: 1 }), unit: namedUnit(period) }
}

function customSpan({ from, to }: { from: Date; to: Date }, { timeZoneId }: Zoned): Span {
  const unit = customUnit(to.getTime() - from.getTime())
  return { from: zoned(from, timeZoneId), end: zoned(to, timeZoneId), unit }
}

function startsIn({ from, end, unit }: Span): Zoned[] {
  const floor = floorOf(from, unit)
  const starts = [from]
  for (let n = 1, next = bucketAfter(floor, unit, n); isBefore(next, end); n += 1, next = bucketAfter(floor, unit, n)) {
    if (isBefore(from, next)) starts.push(next)
  }
  return starts
}

function namedUnit(period: Period | LastDays): BucketUnit {
  if (typeof period === 'string') return UNITS[period]
  return period.unit ?? (period.days <= DAYS_IN_HOURS_MAX ? 'hour' : 'day')
}

function floorOf(time: Zoned, unit: BucketUnit): Zoned {
  return unit === 'day' ? time.startOfDay() : time.round({ smallestUnit: unit, roundingMode: 'floor' })
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

/** A time zone missing from this machine's tz database falls back to UTC. */
export function timeZoneOrUtc(timeZone: string): string {
  try {
    zoned(new Date(0), timeZone)
    return timeZone
  } catch {
    return 'UTC'
  }
}
