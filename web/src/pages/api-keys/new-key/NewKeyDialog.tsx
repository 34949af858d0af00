import { Trans } from '@lingui/react/macro'
import { msg, t } from '@lingui/core/macro'
import { i18n } from '../../../language/i18n.ts'
import { useUser } from '../../../session/use-session.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Field, FieldError } from '../../../ui/Field.tsx'
import { Input } from '../../../ui/Input.tsx'
import type { HeldSecret } from './hold-secret.ts'
import { useNewKeyForm } from './use-new-key-form.ts'

const NAME_LENGTH_MAX = 80
const DESCRIPTION_LENGTH_MAX = 500
const FORM_ID = 'new-key'
const TAGS_EXAMPLE = 'prod team:data'
const EXPIRY_HINT = msg`It works until the end of that day, UTC. Without a date it does not expire.`

type NewKeyDialogProps = { onClose: () => void; onCreated: (secret: HeldSecret) => void }

export function NewKeyDialog({ onClose, onCreated }: NewKeyDialogProps) {
  const user = useUser()
  const { element, errors, isBusy, submit, input } = useNewKeyForm(onCreated)
  const foot = (
    <>
      <Button variant="primary" type="submit" form={FORM_ID} isBusy={isBusy}>
        {t`Create API Key`}
      </Button>
      <Button onClick={onClose}>{t`Cancel`}</Button>
    </>
  )
  return (
    <Dialog title={t`Create API Key`} onClose={onClose} canClose={!isBusy} foot={foot}>
      <form id={FORM_ID} ref={element} className="stack wide" onSubmit={submit} noValidate>
        <Field label={t`Key Name`} error={errors.name}>
          {(control) => <Input {...control} {...input('name')} autoFocus required maxLength={NAME_LENGTH_MAX} />}
        </Field>
        <Field label={t`Description`} isOptional error={errors.description}>
          {(control) => (
            <Input
              {...control}
              {...input('description')}
              maxLength={DESCRIPTION_LENGTH_MAX}
              placeholder={t`What uses it, and where`}
            />
          )}
        </Field>
        <Field label={t`Tags`} isOptional error={errors.tags}>
          {(control) => <Input {...control} {...input('tags')} className="mono" placeholder={TAGS_EXAMPLE} />}
        </Field>
        <Field label={t`Expiration Date`} isOptional error={errors.expires_at} hint={i18n._(EXPIRY_HINT)}>
          {(control) => <Input {...control} {...input('expires_at')} type="date" className="mono" />}
        </Field>
        <p className="hint">
          <Trans>
            Rate limits follow your subscription tier ({user.subscriptionTier}) and are shared by all keys of your
            account.
          </Trans>
        </p>
        <div className="slot" role="alert">
          {errors.form !== undefined && <FieldError>{errors.form}</FieldError>}
        </div>
      </form>
    </Dialog>
  )
}
