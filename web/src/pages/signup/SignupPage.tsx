import { Trans } from '@lingui/react/macro'
import { msg, t } from '@lingui/core/macro'
import { i18n } from '../../language/i18n.ts'
import { paths } from '../../paths.ts'
import { Link } from '../../router.ts'
import { Button } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { Field, FieldError } from '../../ui/Field.tsx'
import { Input } from '../../ui/Input.tsx'
import { ContinueWithGoogle } from '../provider/ContinueWithGoogle.tsx'
import { useEarlyInput } from '../use-early-input.ts'
import { useSearch } from '../use-search.ts'
import { PasswordFields } from './PasswordFields.tsx'
import { type SignupForm, useSignupForm } from './use-signup-form.ts'

const GOOGLE_FAILED = msg`Failed to initiate Google signup. Please try again.`

export function SignupPage() {
  const form = useSignupForm()
  const early = useEarlyInput(form.change)
  const search = useSearch()
  return (
    <>
      <h1>{t`Create your account`}</h1>
      <p>
        <Trans>
          Already have one?{' '}
          <Link className="link" to={paths.login + search}>
            Sign in
          </Link>
        </Trans>
      </p>
      <form className="form roomy" ref={early} method="post" noValidate onSubmit={form.submit}>
        <div className="two">
          <Field label={t`First name`} error={form.errors.first_name}>
            {(control) => <Input {...control} {...form.input('first_name')} autoComplete="given-name" maxLength={80} />}
          </Field>
          <Field label={t`Last name`} error={form.errors.last_name}>
            {(control) => <Input {...control} {...form.input('last_name')} autoComplete="family-name" maxLength={80} />}
          </Field>
        </div>
        <Field label={t`Email`} error={form.errors.email}>
          {(control) => (
            <Input {...control} {...form.input('email')} type="email" autoComplete="email" maxLength={254} />
          )}
        </Field>
        <Field label={t`Mobile`} error={form.errors.mobile}>
          {(control) => <Input {...control} {...form.input('mobile')} type="tel" autoComplete="tel" maxLength={32} />}
        </Field>
        <PasswordFields form={form} />
        {/* The links open in another tab, so that the input is kept. */}
        <Checkbox
          name="hasAgreed"
          checked={form.values.hasAgreed}
          onChange={(event) => form.change({ hasAgreed: event.currentTarget.checked })}
        >
          <Trans>
            I agree to the{' '}
            <a className="link" href={paths.terms} target="_blank" rel="noopener">
              Terms
            </a>{' '}
            and the{' '}
            <a className="link" href={paths.privacy} target="_blank" rel="noopener">
              Privacy Policy
            </a>
          </Trans>
        </Checkbox>
        <Submit form={form} onRefused={() => form.showProblem(early.current)} />
      </form>
    </>
  )
}

function Submit({ form, onRefused }: { form: SignupForm; onRefused: () => void }) {
  return (
    <>
      <div>
        <div className="slot" id="signup-note">
          <div role="alert">{form.errors.form !== undefined && <FieldError>{form.errors.form}</FieldError>}</div>
          {form.errors.form === undefined && !form.values.hasAgreed && (
            <p className="hint">{t`Agree to the terms to create the account.`}</p>
          )}
        </div>
        <Button
          type="submit"
          variant="primary"
          size="large"
          isBusy={form.isBusy}
          isDisabled={!form.values.hasAgreed}
          onRefused={onRefused}
          aria-describedby="signup-note"
        >
          {form.isBusy ? t`Creating account...` : t`Create account`}
        </Button>
      </div>
      <ContinueWithGoogle
        label={t`Sign up with Google`}
        failure={i18n._(GOOGLE_FAILED)}
        isDisabled={!form.values.hasAgreed}
        onRefused={onRefused}
        describedBy="signup-note"
      />
    </>
  )
}
