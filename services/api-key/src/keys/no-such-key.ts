import { AppError } from '@tapeline/service/app-error'

/** The same error for a missing key and another user's key. */
export function noSuchKey(): AppError {
  return new AppError('api_key.not_found', 'There is no such API key.')
}
