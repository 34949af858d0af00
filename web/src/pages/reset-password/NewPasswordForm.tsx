import { Trans } from '@lingui/react/macro'
import { msg, t } from '@lingui/core/macro'
import type { PasswordIsReset } from '@tapeline/contracts/identity/passwords'
import { type FormEvent, useState } from 'react'
import { i18n } from '../../language/i18n.ts'
import { ApiError } from '../../api/api-error.ts'
import { api, session } from '../../platform.ts'
import { Button } from '../../ui/Button.tsx'
import { Field, FieldError } from '../../ui/Field.tsx'
import { PasswordInput } from '../../ui/PasswordInput.tsx'
import { StateBadge } from '../../ui/StateBadge.tsx'
import { meetsRequirements, REQUIREMENTS } from './check-requirements.ts'

const NO_MATCH = msg`Passwords do not match.`
const TOO_WEAK = msg`Password does not meet the security requirements.`
const NOT_RESET = msg`Failed to reset password. Please try again.`
const NO_ANSWER = msg`An error occurred while resetting your password. Please try again.`
const PASSWORD_CHARACTERS_MAX = 1_024

type NewPasswordFormProps = { token: string; email: string; onDone: () => void; onInvalid: () => void }

export function NewPasswordForm(props: NewPasswordFormProps) {
  const form = useNewPassword(props)
  const { password, confirmation } = form
  return (
    <>
      <h1>{t`Set a new password`}</h1>
      <p>
        <Trans>For {props.email}. A new password ends all sessions of the account.</Trans>
      </p>
      <form className="form roomy" noValidate onSubmit={form.submit}>
        <Field label={t`New password`}>
          {(control) => (
            <PasswordInput
              {...control}
              name="password"
              autoComplete="new-password"
              maxLength={PASSWORD_CHARACTERS_MAX}
              aria-describedby="requirements"
              value={password}
              onChange={(event) => form.setPassword(event.currentTarget.value)}
            />
          )}
        </Field>
        <Requirements password={password} />
        <Field label={t`Confirm password`} error={form.isMismatch ? i18n._(NO_MATCH) : undefined}>
          {(control) => (
            <PasswordInput
              {...control}
              name="confirmation"
              showLabel={t`Show confirmation`}
              autoComplete="new-password"
              maxLength={PASSWORD_CHARACTERS_MAX}
              value={confirmation}
              onChange={(event) => form.setConfirmation(event.currentTarget.value)}
            />
          )}
        </Field>
        <div>
          <div className="slot" role="alert">
            {form.failure !== undefined && <FieldError>{form.failure}</FieldError>}
          </div>
          <Button
            type="submit"
            variant="primary"
            size="large"
            isBusy={form.isBusy}
            isDisabled={!form.isReady}
            onRefused={form.showProblem}
          >
            {form.isBusy ? t`Resetting...` : t`Reset password`}
          </Button>
        </div>
      </form>
    </>
  )
}

function Requirements({ password }: { password: string }) {
  return (
    <ul id="requirements" className="requirements" aria-label={t`Requirements`}>
      {REQUIREMENTS.map(({ text, test }) => (
        <li key={text.id}>
          <StateBadge tone={test(password) ? 'ok' : 'off'}>{i18n._(text)}</StateBadge>
          <span className="sr-only">, {test(password) ? t`met` : t`not met yet`}</span>
        </li>
      ))}
    </ul>
  )
}

function useNewPassword({ token, email, onDone, onInvalid }: NewPasswordFormProps) {
  const [password, setPassword] = useState('')
  const [confirmation, setConfirmation] = useState('')
  const [failure, setFailure] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const isMismatch = confirmation !== '' && confirmation !== password
  const isReady = meetsRequirements(password) && confirmation === password

  async function reset(): Promise<void> {
    setBusy(true)
    setFailure(undefined)
    try {
      const body = { token, newPassword: password }
      const path = '/api/v1/internal/user/reset-password'
      const { deviceToken } = await api.data<PasswordIsReset>({ method: 'POST', path, body, credential: 'none' })
      // The reset ended every session of the account, also the one in this browser, unless it is of another account.
      session.endOf(email)
      session.keepDevice(deviceToken)
      onDone()
    } catch (error) {
      if (error instanceof ApiError && error.code === 'reset_token.invalid') onInvalid()
      else setFailure(failureText(error))
    } finally {
      setBusy(false)
    }
  }

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    if (!isBusy && isReady) void reset()
  }

  const showProblem = () => setFailure(meetsRequirements(password) ? i18n._(NO_MATCH) : i18n._(TOO_WEAK))
  const states = { password, confirmation, failure, isBusy, isMismatch, isReady }
  return { ...states, setPassword, setConfirmation, submit, showProblem }
}

/** Errors that the user can fix are shown with the server's text; others use the specified texts. */
function failureText(error: unknown): string {
  if (!(error instanceof ApiError) || error.status === 0) return i18n._(NO_ANSWER)
  return error.status < 500 ? error.message : i18n._(NOT_RESET)
}
