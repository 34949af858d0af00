import { type ChangeEvent, type FormEvent, useState } from 'react'
import { session } from '../../platform.ts'
import { focusField } from '../focus-field.ts'
import { checkSignup, type SignupErrors, type SignupField, type SignupValues } from './check-signup.ts'
import { signupErrors } from './signup-errors.ts'

const EMPTY: SignupValues = {
  first_name: '',
  last_name: '',
  email: '',
  mobile: '',
  password: '',
  confirmation: '',
  hasAgreed: false,
}

/** Defaults of a new account. */
const REMINDERS = { reminder_enabled: true, reminder_time: 9, reminder_method: 'email' } as const

export type SignupForm = ReturnType<typeof useSignupForm>

/** Values are kept after a failure. On success the layout redirects as soon as a session exists. */
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
    else if (!values.hasAgreed) focusField(form, 'hasAgreed')
  }

  async function signUp(form: HTMLFormElement): Promise<void> {
    const { confirmation: _, hasAgreed: __, ...user } = values
    setBusy(true)
    try {
      await session.signUp({ ...user, email: values.email.trim(), ...REMINDERS })
    } catch (error) {
      show(form, signupErrors(error))
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

  function showProblem(form: HTMLFormElement | null): void {
    if (form !== null) show(form, checkSignup(values))
  }

  return { values, errors, isBusy, change, input, submit, showProblem }
}

function withoutErrors(errors: SignupErrors, fields: string[]): SignupErrors {
  const remaining = Object.entries(errors).filter(([field]) => field !== 'form' && !fields.includes(field))
  return Object.fromEntries(remaining)
}
