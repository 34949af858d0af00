import { msg } from '@lingui/core/macro'
import { type ChangeEvent, type FormEvent, useState } from 'react'
import { i18n } from '../../language/i18n.ts'
import { ApiError } from '../../api/api-error.ts'
import { session } from '../../platform.ts'
import { focusField } from '../focus-field.ts'
import { checkSignup, type SignupErrors, type SignupField, type SignupValues } from './check-signup.ts'

const SIGNUP_FAILED = msg`Signup failed`
const SIGNUP_BROKE = msg`An error occurred during signup`

const EMPTY: SignupValues = {
  first_name: '',
  last_name: '',
  email: '',
  mobile: '',
  password: '',
  confirmation: '',
  hasAgreed: false,
}

/** What every new account starts with (specification §7). */
const REMINDERS = { reminder_enabled: true, reminder_time: 9, reminder_method: 'email' } as const

export type SignupForm = ReturnType<typeof useSignupForm>

/** Values are kept after a failure. Success needs nothing: the layout leads on as soon as somebody is signed in. */
export function useSignupForm() {
  const [values, setValues] = useState(EMPTY)
  const [errors, setErrors] = useState<SignupErrors>({})
  const [isBusy, setBusy] = useState(false)

  function change(changed: Partial<SignupValues>): void {
    setValues((before) => ({ ...before, ...changed }))
    setErrors((before) => withoutErrors(before, Object.keys(changed)))
  }

  function input(field: SignupField) {
    return {
      name: field,
      required: true,
      value: values[field],
      onChange: (event: ChangeEvent<HTMLInputElement>) => change({ [field]: event.currentTarget.value }),
    }
  }

  function show(form: HTMLFormElement, found: SignupErrors): void {
    setErrors(found)
    const [first] = Object.keys(found).filter((field) => field !== 'form')
    if (first !== undefined) focusField(form, first)
  }

  async function signUp(form: HTMLFormElement): Promise<void> {
    const { confirmation: _, hasAgreed: __, ...user } = values
    setBusy(true)
    try {
      await session.signUp({ ...user, email: values.email.trim(), ...REMINDERS })
    } catch (error) {
      show(form, errorsOf(error))
    } finally {
      setBusy(false)
    }
  }

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    if (isBusy) return
    const found = checkSignup(values)
    if (Object.keys(found).length === 0) void signUp(event.currentTarget)
    else show(event.currentTarget, found)
  }

  return { values, errors, isBusy, change, input, submit, sayWhatIsMissing: () => setErrors(checkSignup(values)) }
}

/** A server's error belongs to its field; the rest stands above the button. */
function errorsOf(error: unknown): SignupErrors {
  if (!(error instanceof ApiError))
    return { form: error instanceof Error && error.message !== '' ? error.message : i18n._(SIGNUP_BROKE) }
  const ofFields: SignupErrors = {}
  for (const field of ['first_name', 'last_name', 'email', 'mobile', 'password'] as const) {
    const message = error.messageFor(field)
    if (message !== undefined) ofFields[field] = message
  }
  return Object.keys(ofFields).length > 0 ? ofFields : { form: error.message || i18n._(SIGNUP_FAILED) }
}

function withoutErrors(errors: SignupErrors, fields: string[]): SignupErrors {
  const kept = Object.entries(errors).filter(([field]) => field !== 'form' && !fields.includes(field))
  return Object.fromEntries(kept)
}
