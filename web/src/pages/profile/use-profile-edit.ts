import { msg } from '@lingui/core/macro'
import { useState } from 'react'
import { i18n } from '../../language/i18n.ts'
import { ApiError } from '../../api/api-error.ts'
import type { ClientUser } from '../../session/present-user.ts'
import { draftOf, hasNewEmail, type ProfileDraft, updateOf } from './profile-draft.ts'
import { saveProfile } from './profile.queries.ts'

const NO_ANSWER = msg`Your changes were not saved: there was no response. They are still here; please try again.`

export type ProfileErrors = Partial<Record<'first_name' | 'last_name' | 'mobile' | 'form', string>>
export type ProfileEdit = ReturnType<typeof useProfileEdit>

/**
 * View, edit, save: a failed save stays in edit mode. Fields count as changed compared with those at the beginning of
 * the edit, so that one changed elsewhere meanwhile is not set back.
 */
export function useProfileEdit(user: ClientUser, onNewEmail: (email: string) => void) {
  const [edit, setEdit] = useState<{ base: ProfileDraft; draft: ProfileDraft }>()
  const [errors, setErrors] = useState<ProfileErrors>({})
  const [isSaving, setSaving] = useState(false)
  const base = edit?.base ?? draftOf(user)
  const draft = edit?.draft ?? base
  const isDirty = updateOf(base, draft) !== undefined || hasNewEmail(base, draft)

  /** Whatever is changed begins an edit. */
  function change(changed: Partial<ProfileDraft>): void {
    setEdit({ base, draft: { ...draft, ...changed } })
    setErrors({})
  }

  function stop(): void {
    setEdit(undefined)
    setErrors({})
  }

  async function save(): Promise<void> {
    if (edit === undefined || isSaving) return
    const update = updateOf(base, draft)
    setSaving(true)
    setErrors({})
    try {
      if (update !== undefined) await saveProfile(update)
      stop()
      if (hasNewEmail(base, draft)) onNewEmail(draft.email.trim())
    } catch (error) {
      setErrors(errorsOf(error))
    } finally {
      setSaving(false)
    }
  }

  return {
    isEditing: edit !== undefined,
    isDirty,
    isSaving,
    errors,
    shown: draft,
    start: () => change({}),
    change,
    save,
    cancel: stop,
  }
}

function errorsOf(error: unknown): ProfileErrors {
  if (!(error instanceof ApiError) || error.status === 0) return { form: i18n._(NO_ANSWER) }
  const found: ProfileErrors = {}
  for (const field of ['first_name', 'last_name', 'mobile'] as const) {
    const message = error.messageFor(field)
    if (message !== undefined) found[field] = message
  }
  return Object.keys(found).length === 0 ? { form: error.message } : found
}
