import { t } from '@lingui/core/macro'
import { isEmail } from '../../format/is-email.ts'

export type LoginValues = { email: string; password: string; remember_me: boolean }
export type LoginErrors = Partial<Record<'email' | 'password', string>>

export function checkLogin(values: LoginValues): LoginErrors {
  const errors: LoginErrors = {}
  if (values.email.trim() === '') errors.email = t`Enter your email`
  else if (!isEmail(values.email)) errors.email = t`Enter an email address, like name@example.com`
  if (values.password === '') errors.password = t`Enter your password`
  return errors
}
