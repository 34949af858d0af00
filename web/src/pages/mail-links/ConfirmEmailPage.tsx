import { t } from '@lingui/core/macro'
import type { ConfirmedEmail } from '@tapeline/contracts/identity/email'
import { api } from '../../platform.ts'
import { MailLinkPage } from './MailLinkPage.tsx'

export function ConfirmEmailPage() {
  return (
    <MailLinkPage
      title={t`Confirm your new email`}
      lead={t`Press the button to use this address for your account from now on.`}
      action={t`Use this address`}
      doneTitle={t`Your email was changed`}
      use={async (token) => {
        const path = '/api/v1/internal/user/confirm-email-change'
        const { email } = await api.data<ConfirmedEmail>({ method: 'POST', path, body: { token }, credential: 'none' })
        return t`Sign in with ${email} from now on.`
      }}
    />
  )
}
