import type { CreatedKey } from '@tapeline/contracts/api-key/http'
import { useUser } from '../../session/use-session.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field, FieldError } from '../../ui/Field.tsx'
import { Input } from '../../ui/Input.tsx'
import { useNewKeyForm } from './use-new-key-form.ts'

const NAME_LENGTH_MAX = 80
const DESCRIPTION_LENGTH_MAX = 500
const FORM_ID = 'new-key'
const EXPIRY_HINT = 'It works until the end of that day, UTC. Without a date it does not expire.'

type NewKeyDialogProps = { onClose: () => void; onCreated: (created: CreatedKey) => void }

export function NewKeyDialog({ onClose, onCreated }: NewKeyDialogProps) {
  const user = useUser()
  const { element, errors, isBusy, submit, input } = useNewKeyForm(onCreated)
  const foot = (
    <>
      <Button variant="primary" type="submit" form={FORM_ID} isBusy={isBusy}>
        Create API Key
      </Button>
      <Button onClick={onClose}>Cancel</Button>
    </>
  )
  return (
    <Dialog title="Create API Key" onClose={onClose} canClose={!isBusy} foot={foot}>
      <form id={FORM_ID} ref={element} className="stack wide" onSubmit={submit} noValidate>
        <Field label="Key Name" error={errors.name}>
          {(control) => <Input {...control} {...input('name')} autoFocus required maxLength={NAME_LENGTH_MAX} />}
        </Field>
        <Field label="Description" isOptional error={errors.description}>
          {(control) => (
            <Input
              {...control}
              {...input('description')}
              maxLength={DESCRIPTION_LENGTH_MAX}
              placeholder="What uses it, and where"
            />
          )}
        </Field>
        <Field label="Expiration Date" isOptional error={errors.expires_at} hint={EXPIRY_HINT}>
          {(control) => <Input {...control} {...input('expires_at')} type="date" className="mono" />}
        </Field>
        <p className="hint">
          Rate limits follow your subscription tier ({user.subscriptionTier}) and are shared by all keys of your
          account.
        </p>
        <div className="slot" role="alert">
          {errors.form !== undefined && <FieldError>{errors.form}</FieldError>}
        </div>
      </form>
    </Dialog>
  )
}
