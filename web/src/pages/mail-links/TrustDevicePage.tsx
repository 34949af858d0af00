import { t } from '@lingui/core/macro'
import type { TrustedDevice } from '@tapeline/contracts/identity/devices'
import { api, session } from '../../platform.ts'
import { MailLinkPage } from './MailLinkPage.tsx'

export function TrustDevicePage() {
  return (
    <MailLinkPage
      title={t`Allow this browser`}
      lead={t`Wrong passwords entered by others will no longer delay sign-in from this browser. You still need your password.`}
      action={t`Allow this browser`}
      doneTitle={t`This browser is allowed`}
      use={async (token) => {
        const path = '/api/v1/internal/user/trust-device'
        const { email, deviceToken } = await api.data<TrustedDevice>({
          method: 'POST',
          path,
          body: { token },
          credential: 'none',
        })
        session.keepDevice(deviceToken)
        return t`Sign in as ${email} with your password now.`
      }}
    />
  )
}
