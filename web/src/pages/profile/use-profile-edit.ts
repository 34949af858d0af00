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

/** View, edit, save: a failed save stays in edit mode. */
export function useProfileEdit(user: ClientUser, onNewEmail: (email: string) => void) {
  const [draft, setDraft] = useState<ProfileDraft>()
  const [errors, setErrors] = useState<ProfileErrors>({})
  const [isSaving, setSaving] = useState(false)
  const isDirty = draft !== undefined && (updateOf(user, draft) !== undefined || hasNewEmail(user, draft))

  function stop(): void {
    setDraft(undefined)
    setErrors({})
  }

  async function save(): Promise<void> {
    if (draft === undefined || isSaving) return
    const update = updateOf(user, draft)
    setSaving(true)
    setErrors({})
    try {
      if (update !== undefined) await saveProfile(update)
      stop()
      if (hasNewEmail(user, draft)) onNewEmail(draft.email.trim())
    } catch (error) {
      setErrors(errorsOf(error))
    } finally {
      setSaving(false)
    }
  }

  return {
    isEditing: draft !== undefined,
    isDirty,
    isSaving,
    errors,
    shown: draft ?? draftOf(user),
    start: () => setDraft(draftOf(user)),
    /** Whatever is changed begins an edit. */
    change: (changed: Partial<ProfileDraft>) => {
      setDraft({ ...(draft ?? draftOf(user)), ...changed })
      setErrors({})
    },
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
