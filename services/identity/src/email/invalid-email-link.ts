import { AppError } from '@tapeline/service/app-error'

/** The same error for a link that is unknown, used, expired, replaced by a newer one, or for a former address. */
export function invalidEmailLink(): AppError {
  const message = 'This link is invalid or has expired. Please request a new one.'
  return new AppError('email_link.invalid', message, { errors: [{ field: '/token', message }] })
}
