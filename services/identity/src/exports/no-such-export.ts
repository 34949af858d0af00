import { AppError } from '@tapeline/service/app-error'

/** The same error for an unknown link, no export, and an expired one. */
export function noSuchExport(): AppError {
  return new AppError('account_export.not_found', 'There is no such export, or it has expired.')
}
