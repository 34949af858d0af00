import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { useUser } from '../../../session/use-session.ts'
import { TextField } from '../../forms/fields.tsx'
import { FormDialog } from '../../forms/FormDialog.tsx'
import { type FormErrors, useSaveForm } from '../../forms/use-save-form.ts'
import { creationBody } from '../key-form.ts'
import { createKey } from '../send-key-changes.ts'
import type { HeldSecret } from './hold-secret.ts'

const NAME_LENGTH_MAX = 80
const DESCRIPTION_LENGTH_MAX = 500
const TAGS_EXAMPLE = 'prod team:data'
const EMPTY = { name: '', description: '', tags: '', expires_at: '' }
type Entered = typeof EMPTY

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
      <Fields form={form} errors={errors} change={change} />
      <p className="hint">
        <Trans>
          Rate limits follow your subscription tier ({user.subscriptionTier}) and are shared by all keys of your
          account.
        </Trans>
      </p>
    </FormDialog>
  )
}

type FieldsProps = { form: Entered; errors: FormErrors<Entered>; change: (changed: Partial<Entered>) => void }

function Fields({ form, errors, change }: FieldsProps) {
  return (
    <>
      <TextField
        label={t`Key Name`}
        error={errors.name}
        name="name"
        autoFocus
        required
        maxLength={NAME_LENGTH_MAX}
        value={form.name}
        onType={(name) => change({ name })}
      />
      <TextField
        label={t`Description`}
        isOptional
        error={errors.description}
        name="description"
        maxLength={DESCRIPTION_LENGTH_MAX}
        placeholder={t`What uses it, and where`}
        value={form.description}
        onType={(description) => change({ description })}
      />
      <TextField
        label={t`Tags`}
        isOptional
        error={errors.tags}
        name="tags"
        className="mono"
        placeholder={TAGS_EXAMPLE}
        value={form.tags}
        onType={(tags) => change({ tags })}
      />
      <TextField
        label={t`Expiration Date`}
        isOptional
        error={errors.expires_at}
        hint={t`It works until the end of that day, UTC. Without a date it does not expire.`}
        name="expires_at"
        type="date"
        className="mono"
        value={form.expires_at}
        onType={(expires_at) => change({ expires_at })}
      />
    </>
  )
}
