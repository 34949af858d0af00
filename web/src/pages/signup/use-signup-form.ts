import { type ChangeEvent, type FormEvent, useRef, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { session } from '../../platform.ts'
import { checkSignup, type SignupErrors, type SignupField, type SignupValues } from './check-signup.ts'

const SIGNUP_FAILED = 'Signup failed'
const SIGNUP_BROKE = 'An error occurred during signup'

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
  const element = useRef<HTMLFormElement>(null)
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

  function show(found: SignupErrors): void {
    setErrors(found)
    const [first] = Object.keys(found).filter((field) => field !== 'form')
    if (first !== undefined) element.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus()
  }

  async function signUp(): Promise<void> {
    const { confirmation: _, hasAgreed: __, ...user } = values
    setBusy(true)
    try {
      await session.signUp({ ...user, email: values.email.trim(), ...REMINDERS })
    } catch (error) {
      show(errorsOf(error))
    } finally {
      setBusy(false)
    }
  }

  /** True when nothing is left to correct. */
  function check(): boolean {
    const found = checkSignup(values)
    show(found)
    return Object.keys(found).length === 0
  }

  function submit(event: FormEvent): void {
    event.preventDefault()
    if (!isBusy && check()) void signUp()
  }

  return { element, values, errors, isBusy, change, input, check, submit }
}

/** A server's error belongs to its field; the rest stands above the button. */
function errorsOf(error: unknown): SignupErrors {
  if (!(error instanceof ApiError)) return { form: error instanceof Error && error.message !== '' ? error.message : SIGNUP_BROKE }
  const ofFields: SignupErrors = {}
  for (const field of ['first_name', 'last_name', 'email', 'mobile', 'password'] as const) {
    const message = error.messageFor(field)
    if (message !== undefined) ofFields[field] = message
  }
  return Object.keys(ofFields).length > 0 ? ofFields : { form: error.message || SIGNUP_FAILED }
}

function withoutErrors(errors: SignupErrors, fields: string[]): SignupErrors {
  const kept = Object.entries(errors).filter(([field]) => field !== 'form' && !fields.includes(field))
  return Object.fromEntries(kept)
}
