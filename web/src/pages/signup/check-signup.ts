import { msg, t } from '@lingui/core/macro'
import type { MessageDescriptor } from '@lingui/core'
import { isEmail } from '../../format/is-email.ts'
import { i18n } from '../../language/i18n.ts'

export type SignupValues = {
  first_name: string
  last_name: string
  email: string
  mobile: string
  password: string
  confirmation: string
  hasAgreed: boolean
}

export type SignupField = Exclude<keyof SignupValues, 'hasAgreed'>
export type SignupErrors = Partial<Record<SignupField | 'form', string>>

const PASSWORD_CHARACTERS_MIN = 8

const REQUIRED: Record<SignupField, MessageDescriptor> = {
  first_name: msg`Enter your first name`,
  last_name: msg`Enter your last name`,
  email: msg`Enter your email`,
  mobile: msg`Enter your mobile number`,
  password: msg`Choose a password`,
  confirmation: msg`Repeat the password`,
}

export function checkSignup(values: SignupValues): SignupErrors {
  const errors: SignupErrors = {}
  for (const field of FIELDS) if (values[field].trim() === '') errors[field] = i18n._(REQUIRED[field])
  if (errors.email === undefined && !isEmail(values.email)) {
    errors.email = t`Enter an email address, like name@example.com`
  }
  if (errors.password === undefined && Array.from(values.password).length < PASSWORD_CHARACTERS_MIN) {
    errors.password = t`Use at least ${PASSWORD_CHARACTERS_MIN} characters`
  }
  if (errors.confirmation === undefined && values.confirmation !== values.password) {
    errors.confirmation = t`Passwords do not match`
  }
  if (!values.hasAgreed) errors.form = t`Please agree to the terms and conditions`
  return errors
}

const FIELDS: readonly SignupField[] = ['first_name', 'last_name', 'email', 'mobile', 'password', 'confirmation']
