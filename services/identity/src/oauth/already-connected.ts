import { isUniqueViolation } from '@tapeline/database/unique-violation'
import { AppError } from '@tapeline/service/app-error'

export const IDENTITY_CONSTRAINT = 'provider_identity_pkey'
const USER_CONSTRAINT = 'provider_identity_user_key'

/** An account has one Google account, not two. */
export function isSecondIdentity(error: unknown): boolean {
  return isUniqueViolation(error, USER_CONSTRAINT)
}

export function alreadyConnected(cause?: unknown): AppError {
  const message = 'This account is connected with another Google account. Disconnect that one first.'
  return new AppError('oauth.already_connected', message, { cause })
}
