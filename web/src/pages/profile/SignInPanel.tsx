import { msg, t } from '@lingui/core/macro'
import type { UserDetails } from '@tapeline/contracts/identity/http'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { i18n } from '../../language/i18n.ts'
import { ApiError } from '../../api/api-error.ts'
import { providerSignIn } from '../../platform.ts'
import type { ClientUser } from '../../session/present-user.ts'
import { Button } from '../../ui/Button.tsx'
import { StateBadge } from '../../ui/StateBadge.tsx'
import { showToast } from '../../ui/toasts/Toasts.tsx'
import { ChangePasswordDialog, ConfirmDialog } from './dialogs.tsx'
import { Line, Panel } from './Lines.tsx'
import { detailsQuery, disconnectGoogle, mailPasswordLink } from './profile.queries.ts'

const START_FAILED = msg`Failed to initiate Google login. Please try again.`
const DISCONNECT_FAILED = msg`Failed to disconnect Google account`

type SignInPanelProps = { user: ClientUser; onChangeEmail: () => void }

/** Sign-in methods of this account. */
export function SignInPanel({ user, onChangeEmail }: SignInPanelProps) {
  const methods = useQuery(detailsQuery).data?.signInMethods
  return (
    <Panel title={t`Sign-in`}>
      <dl className="lines">
        <PasswordLine user={user} methods={methods} />
        <Line
          label={t`Email`}
          action={
            <Button size="small" onClick={onChangeEmail}>
              {t`Change email`}
            </Button>
          }
        >
          <span className="mono">{user.email}</span>
        </Line>
        <GoogleLine methods={methods} />
      </dl>
    </Panel>
  )
}

type MethodsProps = { methods: UserDetails['signInMethods'] | undefined }

function PasswordLine({ user, methods }: MethodsProps & { user: ClientUser }) {
  const [isOpen, setOpen] = useState(false)
  if (methods?.password === false) {
    return (
      <Line
        label={t`Password`}
        action={
          <BusyButton
            label={t`Set a password`}
            work={() => mailPasswordLink(user.email)}
            done={t`A link to set a password was sent to ${user.email}`}
            failure={t`Failed to send reset email. Please try again.`}
          />
        }
      >
        <span className="faint">{t`Not set`}</span>
      </Line>
    )
  }
  return (
    <Line
      label={t`Password`}
      action={
        <Button size="small" onClick={() => setOpen(true)}>
          {t`Change password`}
        </Button>
      }
    >
      <span className="mono muted" aria-hidden="true">
        ••••••••
      </span>
      <span className="sr-only">{t`Set`}</span>
      {isOpen && <ChangePasswordDialog onClose={() => setOpen(false)} />}
    </Line>
  )
}

function GoogleLine({ methods }: MethodsProps) {
  const [isConfirming, setConfirming] = useState(false)
  if (methods === undefined) return <Line label="Google">–</Line>
  if (!methods.google) {
    return (
      <Line
        label="Google"
        action={<BusyButton label={t`Connect Google`} work={providerSignIn.start} failure={i18n._(START_FAILED)} />}
      >
        <span className="faint">{t`Not connected`}</span>
      </Line>
    )
  }
  return (
    <Line
      label="Google"
      action={
        <Button size="small" onClick={() => setConfirming(true)}>
          {t`Disconnect`}
        </Button>
      }
    >
      <StateBadge tone="ok">{t`Connected`}</StateBadge>
      {isConfirming && (
        <ConfirmDialog
          title={t`Disconnect Google`}
          text={t`Are you sure you want to disconnect your Google account?`}
          impact={
            methods.password
              ? t`You can then sign in only with your password. Tapeline’s access to your Google account is revoked.`
              : t`Google is your only way to sign in: set a password first.`
          }
          action={t`Disconnect`}
          failure={i18n._(DISCONNECT_FAILED)}
          done={t`Google is disconnected`}
          onConfirm={disconnectGoogle}
          onClose={() => setConfirming(false)}
        />
      )}
    </Line>
  )
}

type BusyButtonProps = { label: string; work: () => Promise<void>; done?: string; failure: string }

function BusyButton({ label, work, done, failure }: BusyButtonProps) {
  const [isBusy, setBusy] = useState(false)

  async function press(): Promise<void> {
    setBusy(true)
    try {
      await work()
      if (done !== undefined) showToast({ type: 'success', title: done })
    } catch (error) {
      const message = error instanceof ApiError && error.status === 429 ? { message: error.message } : {}
      showToast({ type: 'error', title: failure, ...message })
    } finally {
      setBusy(false)
    }
  }

  return (
    <Button size="small" isBusy={isBusy} onClick={() => void press()}>
      {label}
    </Button>
  )
}
