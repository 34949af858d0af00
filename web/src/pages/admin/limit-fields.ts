import { msg } from '@lingui/core/macro'
import type { MessageDescriptor } from '@lingui/core'
import type { RateLimits } from '@tapeline/contracts/config/tiers'

/** Every limit of a plan, from the shortest window to the longest. */
export const LIMIT_FIELDS = [
  { field: 'burstLimit', label: msg`Burst, per second` },
  { field: 'requestsPerMinute', label: msg`Requests per minute` },
  { field: 'requestsPerHour', label: msg`Requests per hour` },
  { field: 'requestsPerDay', label: msg`Requests per day` },
  { field: 'requestsPerMonth', label: msg`Requests per month` },
  { field: 'concurrentRequests', label: msg`Concurrent requests` },
] as const satisfies readonly { field: keyof RateLimits; label: MessageDescriptor }[]
export type LimitField = (typeof LIMIT_FIELDS)[number]['field']

/** The entered number as sent; the server reports other errors. */
export function sentNumber(text: string): number | string | null {
  const typed = text.trim()
  if (typed === '') return null
  const count = Number(typed)
  return Number.isFinite(count) ? count : typed
}
