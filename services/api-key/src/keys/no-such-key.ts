import { AppError } from '@tapeline/service/app-error'

/** The same for a key that does not exist and for one that is somebody else's. */
export function noSuchKey(): AppError {
  return new AppError('api_key.not_found', 'There is no such API key.')
}
