import { AppError } from '@tapeline/service/app-error'

const DATE_ONLY = /^\d{4}-\d{2}-\d{2}$/
const EXPIRY_FORMS =
  'Enter a date (2026-03-12: until the end of that day, UTC) or a date and time (2026-03-12T15:04:05Z).'
const FIELD = '/expires_at'

/**
 * Parses an expiry; a date alone means the end of that day in UTC. Only the key's current expiry may be in the past.
 * @throws AppError when the text is not a time, or a past one other than the current expiry
 */
export function readExpiry(text: string | null | undefined, now: Date, has: Date | null = null): Date | null {
  if (text === null || text === undefined) return null
  const at = new Date(DATE_ONLY.test(text) ? `${text}T23:59:59.999Z` : text)
  if (Number.isNaN(at.getTime())) {
    const message = EXPIRY_FORMS
    throw new AppError('request.invalid', message, { errors: [{ field: FIELD, message, rule: 'expiry' }] })
  }
  if (at <= now && at.getTime() !== has?.getTime()) {
    const message = 'The expiration date is in the past.'
    throw new AppError('api_key.expiry_in_past', message, { errors: [{ field: FIELD, message }] })
  }
  return at
}
