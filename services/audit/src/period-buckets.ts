import type { Period } from '@tapeline/contracts/audit/http'

type Unit = 'minute' | 'hour' | 'day'
const SHAPES: Record<Period, { unit: Unit; count: number }> = {
  '1h': { unit: 'minute', count: 60 },
  '24h': { unit: 'hour', count: 24 },
  '7d': { unit: 'hour', count: 168 },
  '30d': { unit: 'day', count: 30 },
  '90d': { unit: 'day', count: 90 },
}

/** Starts of a period's buckets and the end of the last one, which is still running. */
export type Buckets = {
  timeZone: string
  starts: Temporal.ZonedDateTime[]
  end: Temporal.ZonedDateTime
  now: Temporal.ZonedDateTime
}

/** Minutes and hours by the clock, days from midnight to midnight where the account is: some have 23 or 25 hours. */
export function periodBuckets(period: Period, timeZone: string, now: Date): Buckets {
  const { unit, count } = SHAPES[period]
  const instant = Temporal.Instant.fromEpochMilliseconds(now.getTime())
  const here = instant.toZonedDateTimeISO(knownTimeZone(timeZone))
  const last = unit === 'day' ? here.startOfDay() : here.round({ smallestUnit: unit, roundingMode: 'floor' })
  const starts = Array.from({ length: count }, (_, n) => step(last, unit, n - count + 1))
  return { timeZone: here.timeZoneId, starts, end: step(last, unit, 1), now: here }
}

export function rfc3339(time: Temporal.ZonedDateTime): string {
  return time.toString({ timeZoneName: 'never', smallestUnit: 'millisecond' })
}

function step(from: Temporal.ZonedDateTime, unit: Unit, count: number): Temporal.ZonedDateTime {
  if (unit === 'day') return from.add({ days: count }).startOfDay()
  return from.add(unit === 'hour' ? { hours: count } : { minutes: count })
}

/** An account's time zone that this machine's tables do not know is shown as UTC rather than not at all. */
function knownTimeZone(timeZone: string): string {
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(timeZone)
    return timeZone
  } catch {
    return 'UTC'
  }
}
