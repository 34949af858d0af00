import { AppError } from '@tapeline/service/app-error'

/** Times supported by JavaScript, PostgreSQL and RFC 3339 alike: the years 1 to 9999. */
const FIRST_MS = Date.parse('0001-01-01T00:00:00Z')
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z')

/**
 * Parses a well-formed time parameter.
 * @throws AppError for a leap second or a year outside 1 to 9999
 */
export function readTime(field: string, text: string): Date {
  const timeMs = Date.parse(text)
  if (timeMs >= FIRST_MS && timeMs <= LAST_MS) return new Date(timeMs)
  throw wrongPeriod(field, `${field.slice(1)} is not a time that exists.`)
}

/** Error for an invalid period, naming the parameter. */
export function wrongPeriod(field: string, message: string): AppError {
  return new AppError('period.invalid', message, { errors: [{ field, message }] })
}
