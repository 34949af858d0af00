import { msg, t } from '@lingui/core/macro'
import { type ChangeEvent, type FormEvent, useRef, useState } from 'react'
import { i18n } from '../../../language/i18n.ts'
import { ApiError } from '../../../api/api-error.ts'
import { createKey } from '../send-key-changes.ts'
import type { HeldSecret } from './hold-secret.ts'

const CREATE_FAILED = msg`Failed to create API key. Please try again.`
const FIELDS = ['name', 'description', 'tags', 'expires_at'] as const
type FieldName = (typeof FIELDS)[number]
type Errors = { [field in FieldName | 'form']?: string | undefined }

/** Values are kept after a failure; server errors are shown at their fields. */
export function useNewKeyForm(onCreated: (secret: HeldSecret) => void) {
  const element = useRef<HTMLFormElement>(null)
  const [values, setValues] = useState({ name: '', description: '', tags: '', expires_at: '' })
  const [errors, setErrors] = useState<Errors>({})
  const [isBusy, setBusy] = useState(false)

  function show(found: Errors): void {
    setErrors(found)
    const [first] = Object.keys(found)
    element.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus()
  }

  async function create(): Promise<void> {
    setBusy(true)
    try {
      onCreated(await createKey(bodyOf(values)))
    } catch (error) {
      setBusy(false)
      show(errorsOf(error))
    }
  }

  function submit(event: FormEvent): void {
    event.preventDefault()
    if (isBusy) return
    if (values.name.trim() === '') return show({ name: t`Give the key a name` })
    void create()
  }

  function input(name: FieldName) {
    return {
      name,
      value: values[name],
      autoComplete: 'off',
      onChange: (event: ChangeEvent<HTMLInputElement>) => {
        setValues({ ...values, [name]: event.currentTarget.value })
        setErrors({ ...errors, [name]: undefined })
      },
    }
  }

  return { element, errors, isBusy, submit, input }
}

function bodyOf({ name, description, tags, expires_at }: Record<FieldName, string>) {
  const listed = tags.split(/[\s,]+/).filter(Boolean)
  return {
    name: name.trim(),
    ...(description.trim() === '' ? {} : { description: description.trim() }),
    ...(listed.length === 0 ? {} : { tags: listed }),
    ...(expires_at === '' ? {} : { expires_at }),
  }
}

/** Errors that the user can fix are shown with the server's text; others use the specified texts. */
function errorsOf(error: unknown): Errors {
  if (!(error instanceof ApiError)) return { form: i18n._(CREATE_FAILED) }
  for (const field of FIELDS) {
    const message = error.messageFor(field)
    if (message !== undefined) return { [field]: message }
  }
  return { form: error.status === 403 ? error.message : i18n._(CREATE_FAILED) }
}
