import type { RateLimits } from './tiers.ts'

const FROM_SHORT_TO_LONG = [
  'burstLimit',
  'requestsPerMinute',
  'requestsPerHour',
  'requestsPerDay',
  'requestsPerMonth',
] as const satisfies (keyof RateLimits)[]
type Window = (typeof FROM_SHORT_TO_LONG)[number]

/**
 * Limits above that of the next longer window, which can therefore never be reached: for example 5,000 per minute
 * with 1,000 per hour.
 */
export function limitsOutOfOrder(limits: RateLimits): { limit: Window; longer: Window }[] {
  return FROM_SHORT_TO_LONG.flatMap((limit, index) => {
    const longer = FROM_SHORT_TO_LONG[index + 1]
    return longer === undefined || limits[limit] <= limits[longer] ? [] : [{ limit, longer }]
  })
}
