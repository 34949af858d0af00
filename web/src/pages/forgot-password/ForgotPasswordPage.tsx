import { Trans } from '@lingui/react/macro'
import { msg, t } from '@lingui/core/macro'
import { type FormEvent, useState } from 'react'
import { i18n } from '../../language/i18n.ts'
import { ApiError } from '../../api/api-error.ts'
import { paths } from '../../paths.ts'
import { api } from '../../platform.ts'
import { Link } from '../../router.ts'
import { Button } from '../../ui/Button.tsx'
import { buttonClass } from '../../ui/button-class.ts'
import { FieldError } from '../../ui/Field.tsx'
import { EmailField } from '../EmailField.tsx'
import { useEarlyInput } from '../use-early-input.ts'

const NOT_SENT = msg`Failed to send reset email. Please try again.`
const NO_ANSWER = msg`An error occurred while sending the reset email. Please try again.`

export function ForgotPasswordPage() {
  const [email, setEmail] = useState('')
  const [sentTo, setSentTo] = useState<string>()
  if (sentTo !== undefined) return <CheckYourEmail email={sentTo} onOther={() => setSentTo(undefined)} />
  return (
    <>
      <h1>{t`Forgot your password?`}</h1>
      <p>{t`Enter your email address to receive a link for setting a new password. The link works once and expires soon.`}</p>
      <EmailForm email={email} onChange={setEmail} onSent={() => setSentTo(email.trim())} />
    </>
  )
}

type EmailFormProps = { email: string; onChange: (email: string) => void; onSent: () => void }

function EmailForm({ email, onChange, onSent }: EmailFormProps) {
  const [failure, setFailure] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const isBlank = email.trim() === ''
  const form = useEarlyInput(({ email: typed }) => typeof typed === 'string' && onChange(typed))

  async function send(): Promise<void> {
    setBusy(true)
    setFailure(undefined)
    try {
      const body = { email: email.trim() }
      await api.send({ method: 'POST', path: '/api/v1/internal/user/forgot-password', body, credential: 'none' })
      onSent()
    } catch (error) {
      setFailure(failureText(error))
    } finally {
      setBusy(false)
    }
  }

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    if (!isBusy && !isBlank) void send()
  }

  return (
    <form className="form roomy" ref={form} method="post" noValidate onSubmit={submit}>
      <EmailField email={email} maxLength={254} onChange={onChange} />
      <div>
        <div className="slot" role="alert">
          {failure !== undefined && <FieldError>{failure}</FieldError>}
        </div>
        <Button type="submit" variant="primary" size="large" isBusy={isBusy} isDisabled={isBlank}>
          {isBusy ? t`Sending...` : t`Send reset link`}
        </Button>
      </div>
      <p>
        <Link className="link" to={paths.login}>
          {t`Back to login`}
        </Link>
      </p>
    </form>
  )
}

function CheckYourEmail({ email, onOther }: { email: string; onOther: () => void }) {
  return (
    <div role="status">
      <h1>{t`Check your email`}</h1>
      <p>
        <Trans>
          If <b>{email}</b> belongs to an account, a link to set a new password is on its way. It works once, and only
          for a short time; a newer one replaces it.
        </Trans>
      </p>
      <div className="form">
        <Button size="large" onClick={onOther}>
          {t`Try different email`}
        </Button>
        <Link className={buttonClass({ variant: 'quiet', size: 'large' })} to={paths.login}>
          {t`Back to login`}
        </Link>
      </div>
    </div>
  )
}

/** The server's message, or that there was no response. */
function failureText(error: unknown): string {
  if (!(error instanceof ApiError) || error.status === 0) return i18n._(NO_ANSWER)
  return error.message === '' ? i18n._(NOT_SENT) : error.message
}
