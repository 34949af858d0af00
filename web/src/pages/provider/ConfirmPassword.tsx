import { msg, t } from '@lingui/core/macro'
import { type FormEvent, useState } from 'react'
import { i18n } from '../../language/i18n.ts'
import { ApiError } from '../../api/api-error.ts'
import { providerSignIn } from '../../platform.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { PasswordInput } from '../../ui/PasswordInput.tsx'
import '../../layouts/auth.css'

const FAILED = msg`That did not work. Please try again.`

/** An address that is not proven on both sides: the owner of the account enters its password once. */
export function ConfirmPassword() {
  const [password, setPassword] = useState('')
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)

  async function confirm(): Promise<void> {
    setBusy(true)
    try {
      await providerSignIn.confirm(password)
    } catch (failure) {
      setError(failure instanceof ApiError ? failure.message : i18n._(FAILED))
      setBusy(false)
    }
  }

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    if (isBusy) return
    if (password === '') setError(t`Enter the password of your account.`)
    else void confirm()
  }

  return (
    <div className="auth-form alone">
      <main id="main">
        <h1>{t`Connect Google with your account`}</h1>
        <p>{t`Enter the password of the account to confirm that it is yours. You can then also sign in with Google. If you have no account, sign up with a password first.`}</p>
        <form className="form roomy" noValidate onSubmit={submit}>
          <Field label={t`Password`} error={error}>
            {(control) => (
              <PasswordInput
                {...control}
                name="password"
                autoComplete="current-password"
                required
                value={password}
                onChange={(event) => {
                  setPassword(event.currentTarget.value)
                  setError(undefined)
                }}
              />
            )}
          </Field>
          <Button type="submit" variant="primary" size="large" isBusy={isBusy}>
            {t`Connect and sign in`}
          </Button>
          <Button size="large" variant="quiet" onClick={() => providerSignIn.giveUp()}>
            {t`Cancel`}
          </Button>
        </form>
      </main>
    </div>
  )
}
