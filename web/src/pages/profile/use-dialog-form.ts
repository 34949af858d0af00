import { type FormEvent, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { focusField } from '../focus-field.ts'

type Values = Record<string, string>
type Errors<T extends Values> = { [Name in keyof T | 'form']?: string }

type DialogForm<T extends Values> = {
  first: T
  check: (values: T) => Errors<T>
  send: (values: T) => Promise<void>
  /** The field at which a problem without a field is shown. */
  fieldOf?: (error: ApiError) => keyof T | undefined
  failure: string
}

/** A few fields, checked here and then by the server; input is kept after a failure. */
export function useDialogForm<T extends Values>({ first, check, send, fieldOf, failure }: DialogForm<T>) {
  const [values, setValues] = useState<T>(first)
  const [errors, setErrors] = useState<Errors<T>>({})
  const [isBusy, setBusy] = useState(false)

  async function work(): Promise<void> {
    setBusy(true)
    try {
      await send(values)
    } catch (error) {
      setErrors(errorsOf(error))
      setBusy(false)
    }
  }

  function errorsOf(error: unknown): Errors<T> {
    const asForm = (message: string): Errors<T> => ({ form: message }) as Errors<T>
    if (!(error instanceof ApiError) || error.status === 0) return asForm(failure)
    const field = fieldOf?.(error) ?? Object.keys(first).find((name) => error.messageFor(name) !== undefined)
    if (field === undefined) return asForm(error.message)
    return { [field]: error.messageFor(String(field)) ?? error.message } as Errors<T>
  }

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    if (isBusy) return
    const found = check(values)
    setErrors(found)
    const [name] = Object.keys(found)
    if (name === undefined) void work()
    else focusField(event.currentTarget, name)
  }

  const input = (name: keyof T & string) => ({
    name,
    required: true,
    value: values[name],
    onChange: (event: { currentTarget: { value: string } }) => {
      setValues({ ...values, [name]: event.currentTarget.value })
      setErrors({})
    },
  })

  return { values, errors, isBusy, submit, input }
}
