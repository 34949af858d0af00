const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const IDLE_LIFE_MS = 12 * HOUR_MS
const WHOLE_LIFE_MS = 30 * DAY_MS

/** A remembered session lives 30 days; any other ends after 12 hours without use, and after 30 days as well. */
export function sessionExpiry(
  { isRemembered, createdAt }: { isRemembered: boolean; createdAt: Date },
  now: Date,
): Date {
  const wholeLifeEnds = createdAt.getTime() + WHOLE_LIFE_MS
  return new Date(isRemembered ? wholeLifeEnds : Math.min(wholeLifeEnds, now.getTime() + IDLE_LIFE_MS))
}
