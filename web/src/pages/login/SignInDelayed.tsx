import { Trans } from '@lingui/react/macro'
import { msg, t } from '@lingui/core/macro'
import { useState } from 'react'
import { i18n } from '../../language/i18n.ts'
import { ApiError } from '../../api/api-error.ts'
import { api } from '../../platform.ts'
import { Button } from '../../ui/Button.tsx'
import { FieldError } from '../../ui/Field.tsx'

const NO_ANSWER = msg`There was no response. Please try again.`

type SignInDelayedProps = { email: string; retryAfterS: number }
type Request = { state: 'unsent' | 'busy' | 'sent'; failure?: string }

/** Explains the delay after repeated wrong passwords and offers the owner a link that skips it. */
export function SignInDelayed({ email, retryAfterS }: SignInDelayedProps) {
  const [request, setRequest] = useState<Request>({ state: 'unsent' })

  async function send(): Promise<void> {
    setRequest({ state: 'busy' })
    try {
      await api.send({
        method: 'POST',
        path: '/api/v1/internal/user/device-link',
        body: { email },
        credential: 'none',
      })
      setRequest({ state: 'sent' })
    } catch (error) {
      const hasAnswer = error instanceof ApiError && error.status !== 0
      setRequest({ state: 'unsent', failure: hasAnswer ? error.message : i18n._(NO_ANSWER) })
    }
  }

  if (request.state === 'sent') {
    return (
      <p role="status">
        <Trans>
          If <b>{email}</b> belongs to an account, a link is on its way. Open it in this browser, then sign in with your
          password. It works once, for ten minutes. If you asked for one in the last five minutes, use that one.
        </Trans>
      </p>
    )
  }
  return (
    <div className="form" role="status">
      <p>
        <Trans>
          Too many wrong passwords were entered for this account, perhaps by someone else. Try again in {retryAfterS} s,
          or get a link by email that lets this browser sign in without the wait.
        </Trans>
      </p>
      {request.failure !== undefined && <FieldError>{request.failure}</FieldError>}
      <Button size="large" isBusy={request.state === 'busy'} onClick={() => void send()}>
        {t`Email me a link`}
      </Button>
    </div>
  )
}
