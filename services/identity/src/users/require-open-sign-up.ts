import { AppError } from '@tapeline/service/app-error'
import type { Deps } from '../deps.ts'

/** @throws AppError `sign_up.closed` while the operator has closed sign-up */
export function requireOpenSignUp({ settings }: Pick<Deps, 'settings'>): void {
  if (settings.valueOf('system_config.sign_up').open) return
  throw new AppError('sign_up.closed', 'Sign-up is closed at the moment.')
}
