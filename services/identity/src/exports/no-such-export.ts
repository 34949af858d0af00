import { AppError } from '@tapeline/service/app-error'

/** Unknown link, none yet, or expired: one answer. */
export function noSuchExport(): AppError {
  return new AppError('account_export.not_found', 'There is no such export, or its time is over.')
}
