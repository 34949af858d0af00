import { isUniqueViolation } from '@tapeline/database/unique-violation'
import { AppError } from '@tapeline/service/app-error'

const IDENTITY_CONSTRAINT = 'provider_identity_pkey'
const USER_CONSTRAINT = 'provider_identity_user_key'

/** An account has one Google account, not two. */
export function isSecondIdentity(error: unknown): boolean {
  return isUniqueViolation(error, USER_CONSTRAINT)
}

/** It was connected meanwhile, with this account or another one. */
export function isTaken(error: unknown): boolean {
  return isUniqueViolation(error, IDENTITY_CONSTRAINT)
}

export function linkedElsewhere(cause?: unknown): AppError {
  return new AppError('oauth.linked_elsewhere', 'This Google account opens another account here.', { cause })
}

export function alreadyConnected(cause?: unknown): AppError {
  const message = 'This account is connected with another Google account. Disconnect that one first.'
  return new AppError('oauth.already_connected', message, { cause })
}
