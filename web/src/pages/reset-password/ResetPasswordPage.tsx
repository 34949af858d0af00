import { msg, t } from '@lingui/core/macro'
import type { ResetTokenState } from '@tapeline/contracts/identity/passwords'
import { useEffect, useState } from 'react'
import { i18n } from '../../language/i18n.ts'
import { paths } from '../../paths.ts'
import { api } from '../../platform.ts'
import { Link, Navigate } from '../../router.ts'
import { useSession } from '../../session/use-session.ts'
import { Busy } from '../../ui/Busy.tsx'
import { Button } from '../../ui/Button.tsx'
import { buttonClass } from '../../ui/button-class.ts'
import { FieldError } from '../../ui/Field.tsx'
import { useIsStarted } from '../../ui/hooks/use-is-started.ts'
import { useLinkToken } from '../mail-links/use-link-token.ts'
import { NewPasswordForm } from './NewPasswordForm.tsx'

const MISSING = msg`Invalid or missing reset token. Please request a new password reset.`
const INVALID = msg`This password reset link is invalid or has expired. Please request a new one.`
const NOT_VERIFIED = msg`Failed to verify reset token. Please try again.`

type State =
  | { step: 'verifying' }
  | { step: 'unverified' }
  | { step: 'invalid'; reason: string }
  | { step: 'valid'; email: string }
  | { step: 'done' }

export function ResetPasswordPage() {
  const session = useSession()
  const token = useLinkToken()
  const isStarted = useIsStarted()
  const [state, setState] = useState<State>({ step: 'verifying' })

  useEffect(() => {
    if (state.step === 'verifying' && token !== '') void verify(token).then(setState)
  }, [state.step, token])

  if (token === '' && session.status === 'signed-in') return <Navigate to={paths.profile} replace />
  if (token === '' && isStarted) return <InvalidLink reason={i18n._(MISSING)} />
  switch (state.step) {
    case 'verifying':
      return (
        <p role="status">
          <Busy /> {t`Checking your link`}
        </p>
      )
    case 'unverified':
      return <NotVerified onRetry={() => setState({ step: 'verifying' })} />
    case 'invalid':
      return <InvalidLink reason={state.reason} />
    case 'valid':
      return (
        <NewPasswordForm
          token={token}
          email={state.email}
          onDone={() => setState({ step: 'done' })}
          onInvalid={() => setState({ step: 'invalid', reason: i18n._(INVALID) })}
        />
      )
    case 'done':
      return <Done />
  }
}

async function verify(token: string): Promise<State> {
  try {
    const path = '/api/v1/internal/user/verify-reset-token'
    const { valid, email } = await api.data<ResetTokenState>({ path, query: { token }, credential: 'none' })
    return valid ? { step: 'valid', email: email ?? '' } : { step: 'invalid', reason: i18n._(INVALID) }
  } catch {
    return { step: 'unverified' }
  }
}

function NotVerified({ onRetry }: { onRetry: () => void }) {
  return (
    <>
      <h1>{t`Set a new password`}</h1>
      <div className="form">
        <div role="alert">
          <FieldError>{i18n._(NOT_VERIFIED)}</FieldError>
        </div>
        <Button size="large" onClick={onRetry}>
          {t`Try Again`}
        </Button>
      </div>
    </>
  )
}

function InvalidLink({ reason }: { reason: string }) {
  return (
    <div role="alert">
      <h1>{t`This link does not work`}</h1>
      <p>{reason}</p>
      <div className="form">
        <Link className={buttonClass({ variant: 'primary', size: 'large' })} to={paths.forgotPassword}>
          {t`Request a new link`}
        </Link>
        <Link className={buttonClass({ variant: 'quiet', size: 'large' })} to={paths.login}>
          {t`Back to login`}
        </Link>
      </div>
    </div>
  )
}

function Done() {
  return (
    <div role="status">
      <h1>{t`Password reset successful!`}</h1>
      <p>{t`Every session of the account was signed out. Sign in with the new password.`}</p>
      <div className="form">
        <Link className={buttonClass({ variant: 'primary', size: 'large' })} to={paths.login}>
          {t`Go to login`}
        </Link>
      </div>
    </div>
  )
}
