import { Field } from '../../ui/Field.tsx'
import { PasswordInput } from '../../ui/PasswordInput.tsx'
import { showToast } from '../../ui/Toasts.tsx'
import { meetsRequirements } from '../reset-password/check-requirements.ts'
import { FormDialog } from './FormDialog.tsx'
import { changePassword } from './profile.queries.ts'
import { useDialogForm } from './use-dialog-form.ts'

const FAILED = 'Your password was not changed: there was no answer. Please try again.'

export function ChangePasswordDialog({ onClose }: { onClose: () => void }) {
  const form = useDialogForm({
    first: { currentPassword: '', newPassword: '', confirmation: '' },
    check: ({ currentPassword, newPassword, confirmation }) => ({
      ...(currentPassword === '' ? { currentPassword: 'Enter your current password.' } : {}),
      ...(meetsRequirements(newPassword) ? {} : { newPassword: 'Password does not meet the security requirements.' }),
      ...(newPassword === confirmation ? {} : { confirmation: 'Passwords do not match.' }),
    }),
    send: async ({ currentPassword, newPassword }) => {
      const ended = await changePassword({ currentPassword, newPassword })
      onClose()
      const others = ended === 1 ? 'One other session was signed out.' : `${ended} other sessions were signed out.`
      showToast({ type: 'success', title: 'Password changed', ...(ended === 0 ? {} : { message: others }) })
    },
    fieldOf: (error) => (error.code === 'password.wrong' ? 'currentPassword' : undefined),
    failure: FAILED,
  })
  return (
    <FormDialog
      title="Change password"
      lead="Every other session is signed out. API keys go on."
      action="Change password"
      isBusy={form.isBusy}
      error={form.errors.form}
      onSubmit={form.submit}
      onClose={onClose}
    >
      <Field label="Current password" error={form.errors.currentPassword}>
        {(control) => (
          <PasswordInput
            {...control}
            {...form.input('currentPassword')}
            noun="current password"
            autoComplete="current-password"
            autoFocus
          />
        )}
      </Field>
      <Field
        label="New password"
        error={form.errors.newPassword}
        hint="At least 8 characters, with an uppercase letter, a lowercase letter and a digit."
      >
        {(control) => (
          <PasswordInput {...control} {...form.input('newPassword')} noun="new password" autoComplete="new-password" />
        )}
      </Field>
      <Field label="Confirm new password" error={form.errors.confirmation}>
        {(control) => (
          <PasswordInput {...control} {...form.input('confirmation')} noun="confirmation" autoComplete="new-password" />
        )}
      </Field>
    </FormDialog>
  )
}
