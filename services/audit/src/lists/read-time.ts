import { AppError } from '@tapeline/service/app-error'

/** The times that a database here can hold and an answer can say: the years 1 to 9999. */
const FIRST_MS = Date.parse('0001-01-01T00:00:00Z')
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z')

/** A parameter of the right form as a time; a leap second, or the year 0, is none that a clock here knows. */
export function readTime(field: string, text: string): Date {
  const timeMs = Date.parse(text)
  if (timeMs >= FIRST_MS && timeMs <= LAST_MS) return new Date(timeMs)
  throw wrongPeriod(field, `${field.slice(1)} is not a time that exists.`)
}

/** A period that cannot be answered, with the parameter that is to blame. */
export function wrongPeriod(field: string, message: string): AppError {
  return new AppError('period.invalid', message, { errors: [{ field, message }] })
}
