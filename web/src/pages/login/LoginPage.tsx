import { Trans } from '@lingui/react/macro'
import { msg, t } from '@lingui/core/macro'
import { type FormEvent, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { i18n } from '../../language/i18n.ts'
import { paths } from '../../paths.ts'
import { session } from '../../platform.ts'
import { Link } from '../../router.ts'
import { Button } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { Field, FieldError } from '../../ui/Field.tsx'
import { PasswordInput } from '../../ui/PasswordInput.tsx'
import { ContinueWithGoogle } from '../provider/ContinueWithGoogle.tsx'
import { focusField } from '../focus-field.ts'
import { EmailField } from '../EmailField.tsx'
import { useEarlyInput } from '../use-early-input.ts'
import { useSearch } from '../use-search.ts'
import { SignInDelayed } from './SignInDelayed.tsx'
import { isEmail } from '../../format/is-email.ts'

/** One message for all failures, so that it does not reveal which field was wrong. */
const LOGIN_FAILED = msg`Incorrect username or password`
/** For a throttled answer without a readable `Retry-After`. */
const DELAY_UNKNOWN_S = 60
const GOOGLE_FAILED = msg`Failed to initiate Google login. Please try again.`

export function LoginPage() {
  const form = useLoginForm()
  const early = useEarlyInput(form.change)
  const search = useSearch()
  return (
    <>
      <h1>{t`Sign in`}</h1>
      <p>
        <Trans>
          New here?{' '}
          <Link className="link" to={paths.signup + search}>
            Create an account
          </Link>
        </Trans>
      </p>
      <form className="form roomy" ref={early} method="post" noValidate onSubmit={form.submit}>
        <EmailField email={form.values.email} error={form.errors.email} onChange={(email) => form.change({ email })} />
        <PasswordField form={form} />
        <Checkbox
          name="remember_me"
          checked={form.values.remember_me}
          onChange={(event) => form.change({ remember_me: event.currentTarget.checked })}
        >
          <Trans>
            Remember me <span className="faint">for 30 days on this browser</span>
          </Trans>
        </Checkbox>
        <div>
          <div className="slot" role="alert">
            {form.hasFailed && <FieldError>{i18n._(LOGIN_FAILED)}</FieldError>}
          </div>
          <Button type="submit" variant="primary" size="large" isBusy={form.isBusy}>
            {form.isBusy ? t`Signing in...` : t`Sign in`}
          </Button>
        </div>
        {form.delayS !== undefined && <SignInDelayed email={form.values.email.trim()} retryAfterS={form.delayS} />}
        <ContinueWithGoogle label={t`Continue with Google`} failure={i18n._(GOOGLE_FAILED)} />
      </form>
    </>
  )
}

function PasswordField({ form }: { form: LoginForm }) {
  return (
    <Field
      label={t`Password`}
      error={form.errors.password}
      action={
        <Link className="link" to={paths.forgotPassword}>
          {t`Forgot password?`}
        </Link>
      }
    >
      {(control) => (
        <PasswordInput
          {...control}
          name="password"
          autoComplete="current-password"
          required
          value={form.values.password}
          onChange={(event) => form.change({ password: event.currentTarget.value })}
        />
      )}
    </Field>
  )
}

type LoginForm = ReturnType<typeof useLoginForm>

/** Values are kept after a failure. On success the layout redirects as soon as a session exists. */
function useLoginForm() {
  const [values, setValues] = useState<LoginValues>({ email: '', password: '', remember_me: false })
  const [errors, setErrors] = useState<LoginErrors>({})
  const [isBusy, setBusy] = useState(false)
  const [hasFailed, setFailed] = useState(false)
  const [delayS, setDelayS] = useState<number>()

  function change(changed: Partial<LoginValues>): void {
    setValues({ ...values, ...changed })
    setErrors({})
    clearFailure()
  }

  function clearFailure(): void {
    setFailed(false)
    setDelayS(undefined)
  }

  async function signIn(): Promise<void> {
    setBusy(true)
    try {
      await session.signIn({ ...values, email: values.email.trim() })
    } catch (error) {
      setFailed(true)
      if (error instanceof ApiError && error.status === 429) setDelayS(error.retryAfterS ?? DELAY_UNKNOWN_S)
    } finally {
      setBusy(false)
    }
  }

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    if (isBusy) return
    clearFailure()
    const found = checkLogin(values)
    setErrors(found)
    const [first] = Object.keys(found)
    if (first === undefined) void signIn()
    else focusField(event.currentTarget, first)
  }

  return { values, errors, isBusy, hasFailed, delayS, change, submit }
}

type LoginValues = { email: string; password: string; remember_me: boolean }
type LoginErrors = Partial<Record<'email' | 'password', string>>

function checkLogin(values: LoginValues): LoginErrors {
  const errors: LoginErrors = {}
  if (values.email.trim() === '') errors.email = t`Enter your email`
  else if (!isEmail(values.email)) errors.email = t`Enter an email address, like name@example.com`
  if (values.password === '') errors.password = t`Enter your password`
  return errors
}
