import { msg, t } from '@lingui/core/macro'
import { i18n } from '../../language/i18n.ts'
import { Field } from '../../ui/Field.tsx'
import { Input } from '../../ui/Input.tsx'
import { showToast } from '../../ui/toasts/Toasts.tsx'
import { CurrentPasswordField } from './CurrentPasswordField.tsx'
import { FormDialog } from '../forms/FormDialog.tsx'
import { changeEmail } from './profile.queries.ts'
import { useDialogForm } from './use-dialog-form.ts'

const FAILED = msg`Nothing was sent: there was no response. Please try again.`

export function ChangeEmailDialog({ initialEmail, onClose }: { initialEmail: string; onClose: () => void }) {
  const form = useDialogForm({
    first: { newEmail: initialEmail, currentPassword: '' },
    check: ({ newEmail, currentPassword }) => ({
      ...(/^\S+@\S+$/.test(newEmail.trim()) ? {} : { newEmail: t`Enter an email address.` }),
      ...(currentPassword === '' ? { currentPassword: t`Enter your current password.` } : {}),
    }),
    send: async ({ newEmail, currentPassword }) => {
      await changeEmail(newEmail.trim(), currentPassword)
      onClose()
      showToast({
        type: 'success',
        title: t`Confirm your new address`,
        message: t`A link is on its way to ${newEmail.trim()}. Nothing changes until it is opened.`,
      })
    },
    fieldOf: (error) => (error.code === 'password.wrong' ? 'currentPassword' : undefined),
    failure: i18n._(FAILED),
  })
  return (
    <FormDialog
      title={t`Change email`}
      lead={t`The change takes effect when you open the link sent to the new address. The old address is notified as well.`}
      action={t`Send the link`}
      isBusy={form.isBusy}
      error={form.errors.form}
      onSubmit={form.submit}
      onClose={onClose}
    >
      <Field label={t`New email`} error={form.errors.newEmail}>
        {(control) => (
          <Input
            {...control}
            {...form.input('newEmail')}
            type="email"
            autoComplete="email"
            maxLength={254}
            autoFocus={initialEmail === ''}
          />
        )}
      </Field>
      <CurrentPasswordField form={form} autoFocus={initialEmail !== ''} />
    </FormDialog>
  )
}
