import { Field } from '../../ui/Field.tsx'
import { Input } from '../../ui/Input.tsx'
import { PasswordInput } from '../../ui/PasswordInput.tsx'
import { showToast } from '../../ui/Toasts.tsx'
import { FormDialog } from './FormDialog.tsx'
import { changeEmail } from './profile.queries.ts'
import { useDialogForm } from './use-dialog-form.ts'

const FAILED = 'Nothing was sent: there was no answer. Please try again.'

export function ChangeEmailDialog({ wanted, onClose }: { wanted: string; onClose: () => void }) {
  const form = useDialogForm({
    first: { newEmail: wanted, currentPassword: '' },
    check: ({ newEmail, currentPassword }) => ({
      ...(/^\S+@\S+$/.test(newEmail.trim()) ? {} : { newEmail: 'Enter an e-mail address.' }),
      ...(currentPassword === '' ? { currentPassword: 'Enter your current password.' } : {}),
    }),
    send: async ({ newEmail, currentPassword }) => {
      await changeEmail(newEmail.trim(), currentPassword)
      onClose()
      showToast({
        type: 'success',
        title: 'Confirm your new address',
        message: `A link is on its way to ${newEmail.trim()}. Until it is opened nothing changes.`,
      })
    },
    fieldOf: (error) => (error.code === 'password.wrong' ? 'currentPassword' : undefined),
    failure: FAILED,
  })
  return (
    <FormDialog
      title="Change email"
      lead="The new address counts once the link that is sent there was opened. The old one is told too."
      action="Send the link"
      isBusy={form.isBusy}
      error={form.errors.form}
      onSubmit={form.submit}
      onClose={onClose}
    >
      <Field label="New email" error={form.errors.newEmail}>
        {(control) => (
          <Input
            {...control}
            {...form.input('newEmail')}
            type="email"
            autoComplete="email"
            maxLength={254}
            autoFocus={wanted === ''}
          />
        )}
      </Field>
      <Field label="Current password" error={form.errors.currentPassword}>
        {(control) => (
          <PasswordInput
            {...control}
            {...form.input('currentPassword')}
            noun="current password"
            autoComplete="current-password"
            autoFocus={wanted !== ''}
          />
        )}
      </Field>
    </FormDialog>
  )
}
