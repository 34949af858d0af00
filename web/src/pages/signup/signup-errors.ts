import { msg } from '@lingui/core/macro'
import { ApiError } from '../../api/api-error.ts'
import { i18n } from '../../language/i18n.ts'
import type { SignupErrors } from './check-signup.ts'

const SIGNUP_FAILED = msg`Signup failed`
const SIGNUP_BROKE = msg`An error occurred during signup`

/** In the order of the form, so that the first error is at its first field. */
const SENT_FIELDS = ['first_name', 'last_name', 'email', 'mobile', 'password'] as const

/** Server errors are shown at their fields; errors about fields that the form does not have, above the button. */
export function signupErrors(error: unknown): SignupErrors {
  if (!(error instanceof ApiError))
    return { form: error instanceof Error && error.message !== '' ? error.message : i18n._(SIGNUP_BROKE) }
  const found: SignupErrors = {}
  for (const field of SENT_FIELDS) {
    const message = error.messageFor(field)
    if (message !== undefined) found[field] = message
  }
  const elsewhere = error.errors.find(
    ({ field }) => !SENT_FIELDS.some((sent) => field === sent || field === `/${sent}`),
  )
  if (elsewhere !== undefined) return { ...found, form: elsewhere.message }
  return Object.keys(found).length > 0 ? found : { form: error.message || i18n._(SIGNUP_FAILED) }
}
