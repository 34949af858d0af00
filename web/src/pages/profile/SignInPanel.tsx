import type { UserDetails } from '@tapeline/contracts/identity/http'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { providerSignIn } from '../../platform.ts'
import type { ClientUser } from '../../session/present-user.ts'
import { Button } from '../../ui/Button.tsx'
import { StateBadge } from '../../ui/StateBadge.tsx'
import { showToast } from '../../ui/Toasts.tsx'
import { ConfirmDialog } from '../api-keys/ConfirmDialog.tsx'
import { ChangePasswordDialog } from './ChangePasswordDialog.tsx'
import { Line, Panel } from './Lines.tsx'
import { detailsQuery, disconnectGoogle, mailPasswordLink } from './profile.queries.ts'

const START_FAILED = 'Failed to initiate Google login. Please try again.'
const DISCONNECT_FAILED = 'Failed to disconnect Google account'

type SignInPanelProps = { user: ClientUser; onChangeEmail: () => void }

/** What opens this account. */
export function SignInPanel({ user, onChangeEmail }: SignInPanelProps) {
  const methods = useQuery(detailsQuery).data?.signInMethods
  return (
    <Panel title="Sign-in">
      <dl className="lines">
        <PasswordLine user={user} methods={methods} />
        <Line
          label="Email"
          action={
            <Button size="small" onClick={onChangeEmail}>
              Change email
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
        label="Password"
        action={
          <BusyButton
            label="Set a password"
            work={() => mailPasswordLink(user.email)}
            done={`A link to set one is on its way to ${user.email}`}
            failure="Failed to send reset email. Please try again."
          />
        }
      >
        <span className="t3">Not set</span>
      </Line>
    )
  }
  return (
    <Line
      label="Password"
      action={
        <Button size="small" onClick={() => setOpen(true)}>
          Change password
        </Button>
      }
    >
      <span className="mono t2" aria-hidden="true">
        ••••••••
      </span>
      <span className="sr">Set</span>
      {isOpen && <ChangePasswordDialog onClose={() => setOpen(false)} />}
    </Line>
  )
}

function GoogleLine({ methods }: MethodsProps) {
  const [isAsking, setAsking] = useState(false)
  if (methods === undefined) return <Line label="Google">–</Line>
  if (!methods.google) {
    return (
      <Line
        label="Google"
        action={<BusyButton label="Connect Google" work={providerSignIn.start} failure={START_FAILED} />}
      >
        <span className="t3">Not connected</span>
      </Line>
    )
  }
  return (
    <Line
      label="Google"
      action={
        <Button size="small" onClick={() => setAsking(true)}>
          Disconnect
        </Button>
      }
    >
      <StateBadge tone="ok">Connected</StateBadge>
      {isAsking && (
        <ConfirmDialog
          title="Disconnect Google"
          text="Are you sure you want to disconnect your Google account?"
          impact={
            methods.password
              ? 'From then on only your password opens this account. What was granted at Google is given back.'
              : 'Google is your only way to sign in: set a password first.'
          }
          action="Disconnect"
          failure={DISCONNECT_FAILED}
          done="Google is disconnected"
          onConfirm={disconnectGoogle}
          onClose={() => setAsking(false)}
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
