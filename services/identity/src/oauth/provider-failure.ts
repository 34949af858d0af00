import { AppError } from '@tapeline/service/app-error'
import { ClientError, ResponseBodyError, WWWAuthenticateChallengeError } from 'openid-client'

/** Errors of the provider or the network, which are not caused by the user. */
const BROKEN = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_HTTP_REQUEST_FORBIDDEN',
  'OAUTH_MISSING_SERVER_METADATA',
])

/** True when the provider rejects the code or token, or its response fails a check. */
export function isUserError(error: unknown): boolean {
  if (error instanceof ResponseBodyError) return error.error === 'invalid_grant' || error.error === 'invalid_token'
  if (error instanceof WWWAuthenticateChallengeError) return error.status === 401
  return error instanceof ClientError && error.code !== undefined && !BROKEN.has(error.code)
}

/** True when the token is already invalid, so there is nothing to revoke. */
export function isTokenInvalid(error: unknown): boolean {
  return error instanceof ResponseBodyError && error.error === 'invalid_token'
}

export const RETRY_AFTER_SECONDS = 5

export function providerUnavailable(cause: unknown): AppError {
  return new AppError('oauth.provider_away', 'Google cannot be reached. Sign in with your password, or try again.', {
    cause,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    isPartial: true,
  })
}
