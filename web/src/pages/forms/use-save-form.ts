import { type FormEvent, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { focusField } from '../focus-field.ts'

export type FormErrors<T> = { [name in (keyof T & string) | 'form']?: string }
type SaveFormOptions<T> = {
  initial: T
  /** Checked before sending: a message per field that needs a correction. */
  check: (form: T) => FormErrors<T>
  /** Saves and closes the form, which stays busy until it is closed. */
  save: (form: T) => Promise<void>
  /** Shown when the server did not answer. */
  failed: string
}

/** Values are kept after a failure; server errors are shown at their fields, and the first of them is focused. */
export function useSaveForm<T extends object>({ initial, check, save, failed }: SaveFormOptions<T>) {
  const [form, setForm] = useState(initial)
  const [errors, setErrors] = useState<FormErrors<T>>({})
  const [isBusy, setBusy] = useState(false)

  function show(element: HTMLFormElement, found: FormErrors<T>): void {
    setErrors(found)
    const [first] = Object.keys(found)
    if (first !== undefined) focusField(element, first)
  }

  async function send(element: HTMLFormElement): Promise<void> {
    setBusy(true)
    try {
      await save(form)
    } catch (error) {
      setBusy(false)
      show(element, errorsOf(error))
    }
  }

  function errorsOf(error: unknown): FormErrors<T> {
    if (!(error instanceof ApiError) || error.status === 0 || error.status >= 500) {
      return { form: failed } as FormErrors<T>
    }
    return errorsAtFields(error, Object.keys(form)) as FormErrors<T>
  }

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    if (isBusy) return
    const found = check(form)
    if (Object.keys(found).length > 0) show(event.currentTarget, found)
    else void send(event.currentTarget)
  }

  function change(changed: Partial<T>): void {
    setForm({ ...form, ...changed })
    setErrors({})
  }

  return { form, change, errors, isBusy, submit }
}

/** Only these are sent, so that a field that was changed elsewhere while the form was open is not set back. */
export function changedFields<T extends object>(initial: T, entered: T): Partial<T> {
  const changed: Partial<T> = { ...entered }
  for (const name of Object.keys(initial) as (keyof T)[]) {
    if (JSON.stringify(initial[name]) === JSON.stringify(entered[name])) delete changed[name]
  }
  return changed
}

/** "/networks/2" belongs to the field "networks"; errors without a field of the form are shown for the whole form. */
export function errorsAtFields({ errors, message }: ApiError, names: readonly string[]): Record<string, string> {
  const found = errors.flatMap((one) => {
    const [name = ''] = one.field.split('/').filter(Boolean)
    return names.includes(name) ? [[name, one.message]] : []
  })
  return found.length > 0 ? Object.fromEntries(found) : { form: message }
}
