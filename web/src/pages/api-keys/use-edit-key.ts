import { t } from '@lingui/core/macro'
import type { ApiKey } from '@tapeline/contracts/api-key/http'
import { type FormEvent, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { showToast } from '../../ui/toasts/Toasts.tsx'
import { focusField } from '../focus-field.ts'
import { updateKey } from './send-key-changes.ts'
import { changedBody, fieldOf, type FormField, type KeyForm, keyFormOf } from './key-form.ts'

export type KeyFormErrors = { [field in FormField | 'form']?: string }

/** Values are kept after a failure; server errors are shown at their fields. */
export function useEditKey(apiKey: ApiKey, onClose: () => void) {
  /** Values when the dialog opened: only fields that differ from them are sent. */
  const [base] = useState(apiKey)
  const [form, setForm] = useState<KeyForm>(() => keyFormOf(apiKey))
  const [errors, setErrors] = useState<KeyFormErrors>({})
  const [isBusy, setBusy] = useState(false)
  const body = changedBody(form, base)
  const isChanged = Object.keys(body).length > 0

  async function save(element: HTMLFormElement): Promise<void> {
    setBusy(true)
    try {
      await updateKey(base.id, body)
      onClose()
      showToast({ type: 'success', title: t`${form.name.trim()} is saved` })
    } catch (error) {
      setBusy(false)
      const found = keyFormErrors(error, t`Failed to update API key. Please try again.`)
      setErrors(found)
      const [first] = Object.keys(found)
      if (first !== undefined) focusField(element, first)
    }
  }

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    if (isBusy) return
    if (form.name.trim() === '') {
      setErrors({ name: t`Give the key a name` })
      focusField(event.currentTarget, 'name')
    } else if (isChanged) void save(event.currentTarget)
  }

  function change(changed: Partial<KeyForm>): void {
    setForm({ ...form, ...changed })
    setErrors({})
  }

  return { form, change, errors, isBusy, isChanged, submit }
}

/** `failed`: what is said when the server did not answer. */
export function keyFormErrors(error: unknown, failed: string): KeyFormErrors {
  if (!(error instanceof ApiError) || error.status === 0 || error.status >= 500) return { form: failed }
  const found = error.errors.flatMap(({ field, message }) => {
    const name = fieldOf(field)
    return name === undefined ? [] : [[name, message]]
  })
  return found.length > 0 ? Object.fromEntries(found) : { form: error.message }
}
