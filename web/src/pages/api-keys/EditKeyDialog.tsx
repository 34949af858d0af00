import { t } from '@lingui/core/macro'
import type { ApiKey } from '@tapeline/contracts/api-key/http'
import { useState } from 'react'
import { showToast } from '../../ui/toasts/Toasts.tsx'
import { FormDialog } from '../forms/FormDialog.tsx'
import { useSaveForm } from '../forms/use-save-form.ts'
import { KeyFields } from './KeyFields.tsx'
import { changedBody, type KeyForm, keyFormOf } from './key-form.ts'
import { updateKey } from './send-key-changes.ts'

/** Edits everything except the secret of a key; changes apply to the next request. */
export function EditKeyDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  /** Values when the dialog opened: only fields that differ from them are sent. */
  const [base] = useState(apiKey)
  const { form, change, errors, isBusy, submit } = useSaveForm<KeyForm>({
    initial: keyFormOf(base),
    check: ({ name }) => (name.trim() === '' ? { name: t`Give the key a name` } : {}),
    save: async (entered) => {
      await updateKey(base.id, changedBody(entered, base))
      onClose()
      showToast({ type: 'success', title: t`${entered.name.trim()} is saved` })
    },
    failed: t`Failed to update API key. Please try again.`,
  })
  const isChanged = Object.keys(changedBody(form, base)).length > 0
  return (
    <FormDialog
      title={t`Edit ${apiKey.name}`}
      action={t`Save key`}
      canSubmit={isChanged}
      isBusy={isBusy}
      error={errors.form}
      onSubmit={(event) => (isChanged ? submit(event) : event.preventDefault())}
      onClose={onClose}
    >
      <KeyFields kind={apiKey.kind} form={form} change={change} errors={errors} />
    </FormDialog>
  )
}
