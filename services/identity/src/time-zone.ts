const FALLBACK = 'UTC'

/** A time zone that this machine's tables do not know is taken for UTC, rather than that nobody is told. */
export function knownTimeZone(timeZone: string): string {
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(timeZone)
    return timeZone
  } catch {
    return FALLBACK
  }
}
