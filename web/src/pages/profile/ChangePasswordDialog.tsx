import { msg, plural, t } from '@lingui/core/macro'
import { i18n } from '../../language/i18n.ts'
import { Field } from '../../ui/Field.tsx'
import { PasswordInput } from '../../ui/PasswordInput.tsx'
import { showToast } from '../../ui/toasts/Toasts.tsx'
import { meetsRequirements } from '../reset-password/check-requirements.ts'
import { CurrentPasswordField } from './CurrentPasswordField.tsx'
import { FormDialog } from '../forms/FormDialog.tsx'
import { changePassword } from './profile.queries.ts'
import { useDialogForm } from './use-dialog-form.ts'

const FAILED = msg`Your password was not changed: there was no response. Please try again.`

export function ChangePasswordDialog({ onClose }: { onClose: () => void }) {
  const form = useDialogForm({
    first: { currentPassword: '', newPassword: '', confirmation: '' },
    check,
    send: async ({ currentPassword, newPassword }) => {
      const ended = await changePassword({ currentPassword, newPassword })
      onClose()
      showDone(ended)
    },
    fieldOf: (error) => (error.code === 'password.wrong' ? 'currentPassword' : undefined),
    failure: i18n._(FAILED),
  })
  return (
    <FormDialog
      title={t`Change password`}
      lead={t`All other sessions are signed out. API keys keep working.`}
      action={t`Change password`}
      isBusy={form.isBusy}
      error={form.errors.form}
      onSubmit={form.submit}
      onClose={onClose}
    >
      <CurrentPasswordField form={form} />
      <Field
        label={t`New password`}
        error={form.errors.newPassword}
        hint={t`At least 8 characters, with an uppercase letter, a lowercase letter and a digit.`}
      >
        {(control) => (
          <PasswordInput
            {...control}
            {...form.input('newPassword')}
            showLabel={t`Show new password`}
            autoComplete="new-password"
          />
        )}
      </Field>
      <Field label={t`Confirm new password`} error={form.errors.confirmation}>
        {(control) => (
          <PasswordInput
            {...control}
            {...form.input('confirmation')}
            showLabel={t`Show confirmation`}
            autoComplete="new-password"
          />
        )}
      </Field>
    </FormDialog>
  )
}

function showDone(ended: number): void {
  const message = plural(ended, { one: '# other session was signed out.', other: '# other sessions were signed out.' })
  showToast({ type: 'success', title: t`Password changed`, ...(ended === 0 ? {} : { message }) })
}

type Values = { currentPassword: string; newPassword: string; confirmation: string }

function check({ currentPassword, newPassword, confirmation }: Values): Partial<Values> {
  return {
    ...(currentPassword === '' ? { currentPassword: t`Enter your current password.` } : {}),
    ...(meetsRequirements(newPassword) ? {} : { newPassword: t`Password does not meet the security requirements.` }),
    ...(newPassword === confirmation ? {} : { confirmation: t`Passwords do not match.` }),
  }
}
