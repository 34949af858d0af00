import { type FormEvent, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { focusField } from '../focus-field.ts'

type SaveFormOptions<T> = {
  initial: T
  save: (form: T) => Promise<void>
  /** Checked before sending; the message of the first empty field. */
  missing: (form: T) => Errors
  failed: string
  onDone: () => void
}
export type Errors = Record<string, string>

/** Values are kept after a failure; server errors are shown at their fields. */
export function useSaveForm<T extends object>({ initial, save, missing, failed, onDone }: SaveFormOptions<T>) {
  const [form, setForm] = useState(initial)
  const [errors, setErrors] = useState<Errors>({})
  const [isBusy, setBusy] = useState(false)

  function show(element: HTMLFormElement, found: Errors): void {
    setErrors(found)
    const [first] = Object.keys(found)
    if (first !== undefined) focusField(element, first)
  }

  async function send(element: HTMLFormElement): Promise<void> {
    setBusy(true)
    try {
      await save(form)
      onDone()
    } catch (error) {
      setBusy(false)
      show(element, errorsOf(error, failed))
    }
  }

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    if (isBusy) return
    const found = missing(form)
    if (Object.keys(found).length > 0) show(event.currentTarget, found)
    else void send(event.currentTarget)
  }

  function change(changed: Partial<T>): void {
    setForm({ ...form, ...changed })
    setErrors({})
  }

  return { form, change, errors, isBusy, submit }
}

function errorsOf(error: unknown, failed: string): Errors {
  if (!(error instanceof ApiError) || error.status === 0 || error.status >= 500) return { form: failed }
  const found = error.errors.flatMap(({ field, message }) => {
    const [name] = field.split('/').filter(Boolean)
    return name === undefined ? [] : [[name, message]]
  })
  return found.length > 0 ? Object.fromEntries(found) : { form: error.message }
}
