import { msg, t } from '@lingui/core/macro'
import { i18n } from '../../language/i18n.ts'
import { formatDateTime } from '../../format/date.ts'
import { session } from '../../platform.ts'
import { showToast } from '../../ui/toasts/Toasts.tsx'
import { CurrentPasswordField } from './CurrentPasswordField.tsx'
import { FormDialog } from '../forms/FormDialog.tsx'
import { closeAccount } from './profile.queries.ts'
import { useDialogForm } from './use-dialog-form.ts'

const FAILED = msg`Your account was not deleted: there was no response. Please try again.`
/** Long enough to be read, because the page behind it is no longer accessible. */
const SHOWN_FOR_MS = 30_000

type DeleteAccountDialogProps = { timeZone: string; onClose: () => void }

export function DeleteAccountDialog({ timeZone, onClose }: DeleteAccountDialogProps) {
  const form = useDialogForm({
    first: { currentPassword: '' },
    check: ({ currentPassword }) =>
      currentPassword === '' ? { currentPassword: t`Enter your current password.` } : {},
    send: async ({ currentPassword }) => {
      const dueAt = await closeAccount(currentPassword)
      const due = `${formatDateTime(dueAt, timeZone)} ${timeZone}`
      showToast({
        type: 'warning',
        title: t`Your account is closed`,
        message: t`It will be deleted on ${due}, unless you sign in before then.`,
        durationMs: SHOWN_FOR_MS,
      })
      session.end()
    },
    fieldOf: (error) => (error.code === 'password.wrong' ? 'currentPassword' : undefined),
    failure: i18n._(FAILED),
  })
  return (
    <FormDialog
      title={t`Delete account`}
      lead={t`Are you sure you want to delete your account?`}
      action={t`Delete account`}
      isDangerous
      isBusy={form.isBusy}
      error={form.errors.form}
      onSubmit={form.submit}
      onClose={onClose}
    >
      <ul className="consequences">
        <li>{t`You are signed out everywhere, and all API keys stop working permanently.`}</li>
        <li>{t`Signing in within seven days restores the account, without its API keys.`}</li>
        <li>{t`Then everything that is stored about you is deleted. This action cannot be undone.`}</li>
      </ul>
      <CurrentPasswordField form={form} />
    </FormDialog>
  )
}
