import { t } from '@lingui/core/macro'
import type { ConfirmedEmail } from '@tapeline/contracts/identity/email'
import { api, session } from '../../platform.ts'
import { MailLinkPage } from './MailLinkPage.tsx'

export function VerifyEmailPage() {
  return (
    <MailLinkPage
      title={t`Verify your email`}
      lead={t`Press the button to confirm that this address is yours.`}
      action={t`Verify this address`}
      doneTitle={t`Your email is verified`}
      use={async (token) => {
        const path = '/api/v1/internal/user/verify-email'
        const { email } = await api.data<ConfirmedEmail>({ method: 'POST', path, body: { token }, credential: 'none' })
        const state = session.getState()
        if (state.status === 'signed-in' && state.user.email === email) {
          session.updateUser({ ...state.user, emailVerified: true })
        }
        return t`${email} is verified.`
      }}
    />
  )
}
