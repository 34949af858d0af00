import { isUniqueViolation } from '@tapeline/database/unique-violation'
import { AppError } from '@tapeline/service/app-error'

const IDENTITY_CONSTRAINT = 'provider_identity_pkey'
const USER_CONSTRAINT = 'provider_identity_user_key'

/** True when the account is already connected to another Google account. */
export function isSecondIdentity(error: unknown): boolean {
  return isUniqueViolation(error, USER_CONSTRAINT)
}

/** True when the Google account was connected concurrently, to this account or another one. */
export function isTaken(error: unknown): boolean {
  return isUniqueViolation(error, IDENTITY_CONSTRAINT)
}

export function linkedElsewhere(cause?: unknown): AppError {
  return new AppError('oauth.linked_elsewhere', 'This Google account is connected to another account.', { cause })
}

/** Failure of connecting a second Google account. */
export function alreadyConnected(cause?: unknown): AppError {
  const message = 'This account is connected with another Google account. Disconnect that one first.'
  return new AppError('oauth.already_connected', message, { cause })
}
