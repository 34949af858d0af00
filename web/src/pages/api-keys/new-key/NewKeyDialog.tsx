import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { useUser } from '../../../session/use-session.ts'
import { FormDialog } from '../../forms/FormDialog.tsx'
import { useSaveForm } from '../../forms/use-save-form.ts'
import { creationBody } from '../key-form.ts'
import { type Description, DescribingFields } from '../KeyFields.tsx'
import { createKey } from '../send-key-changes.ts'
import type { HeldSecret } from './hold-secret.ts'

const EMPTY: Description = { name: '', description: '', tags: '', expires_at: '' }

type NewKeyDialogProps = { onClose: () => void; onCreated: (secret: HeldSecret) => void }

export function NewKeyDialog({ onClose, onCreated }: NewKeyDialogProps) {
  const user = useUser()
  const { form, change, errors, isBusy, submit } = useSaveForm({
    initial: EMPTY,
    check: ({ name }) => (name.trim() === '' ? { name: t`Give the key a name` } : {}),
    save: async (entered) => onCreated(await createKey(creationBody(entered))),
    failed: t`Failed to create API key. Please try again.`,
  })
  return (
    <FormDialog
      title={t`Create API Key`}
      action={t`Create API Key`}
      isBusy={isBusy}
      error={errors.form}
      onSubmit={submit}
      onClose={onClose}
    >
      <DescribingFields form={form} errors={errors} change={change} isNew />
      <p className="hint">
        <Trans>
          Rate limits follow your subscription tier ({user.subscriptionTier}) and are shared by all keys of your
          account.
        </Trans>
      </p>
    </FormDialog>
  )
}
