const FALLBACK = 'UTC'

/** A time zone missing from this machine's tz database falls back to UTC. */
export function timeZoneOrUtc(timeZone: string): string {
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(timeZone)
    return timeZone
  } catch {
    return FALLBACK
  }
}
