import { t } from '@lingui/core/macro'
import { KeyFields } from '../api-keys/KeyFields.tsx'
import { creationBody, type KeyForm } from '../api-keys/key-form.ts'
import type { HeldSecret } from '../api-keys/new-key/hold-secret.ts'
import { createKey } from '../api-keys/send-key-changes.ts'
import { FormDialog } from '../forms/FormDialog.tsx'
import { useSaveForm } from '../forms/use-save-form.ts'

const EMPTY: KeyForm = { name: '', description: '', expires_at: '', networks: '', scopes: [], tags: '', owner_note: '' }

type NewServiceKeyDialogProps = { onClose: () => void; onCreated: (secret: HeldSecret) => void }

export function NewServiceKeyDialog({ onClose, onCreated }: NewServiceKeyDialogProps) {
  const { form, change, errors, isBusy, submit } = useSaveForm<KeyForm>({
    initial: EMPTY,
    check: ({ name, scopes }) => ({
      ...(name.trim() === '' ? { name: t`Give the key a name` } : {}),
      ...(scopes.length === 0 ? { scopes: t`Choose at least one` } : {}),
    }),
    save: async (entered) => onCreated(await createKey({ ...creationBody(entered), kind: 'service' })),
    failed: t`Failed to create the service key. Please try again.`,
  })
  return (
    <FormDialog
      title={t`Create service key`}
      action={t`Create service key`}
      isBusy={isBusy}
      error={errors.form}
      onSubmit={submit}
      onClose={onClose}
    >
      <KeyFields kind="service" form={form} change={change} errors={errors} />
    </FormDialog>
  )
}
