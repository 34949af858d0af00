import { AppError } from '@tapeline/service/app-error'

/** Unknown, used, expired, older than a newer one, or for an address that is no longer this account's: one answer. */
export function invalidEmailLink(): AppError {
  const message = 'This link is invalid or has expired. Please request a new one.'
  return new AppError('email_link.invalid', message, { errors: [{ field: '/token', message }] })
}
