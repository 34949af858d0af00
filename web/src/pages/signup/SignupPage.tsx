import { paths } from '../../paths.ts'
import { Link, useLocation } from '../../router.ts'
import { Button } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { Field, FieldError } from '../../ui/Field.tsx'
import { Input } from '../../ui/Input.tsx'
import { ContinueWithGoogle } from '../provider/ContinueWithGoogle.tsx'
import { PasswordFields } from './PasswordFields.tsx'
import { type SignupForm, useSignupForm } from './use-signup-form.ts'

const GOOGLE_FAILED = 'Failed to initiate Google signup. Please try again.'

export function SignupPage() {
  const form = useSignupForm()
  const { search } = useLocation()
  return (
    <>
      <h1>Create your account</h1>
      <p>
        Already have one?{' '}
        <Link className="link" to={paths.login + search}>
          Sign in
        </Link>
      </p>
      <form className="form roomy" noValidate onSubmit={form.submit}>
        <div className="two">
          <Field label="First name" error={form.errors.first_name}>
            {(control) => <Input {...control} {...form.input('first_name')} autoComplete="given-name" maxLength={80} />}
          </Field>
          <Field label="Last name" error={form.errors.last_name}>
            {(control) => <Input {...control} {...form.input('last_name')} autoComplete="family-name" maxLength={80} />}
          </Field>
        </div>
        <Field label="Email" error={form.errors.email}>
          {(control) => (
            <Input {...control} {...form.input('email')} type="email" autoComplete="email" maxLength={254} />
          )}
        </Field>
        <Field label="Mobile" error={form.errors.mobile}>
          {(control) => <Input {...control} {...form.input('mobile')} type="tel" autoComplete="tel" maxLength={32} />}
        </Field>
        <PasswordFields form={form} />
        <Checkbox
          name="hasAgreed"
          checked={form.values.hasAgreed}
          onChange={(event) => form.change({ hasAgreed: event.currentTarget.checked })}
        >
          I agree to the Terms and the Privacy Policy
        </Checkbox>
        <Submit form={form} />
      </form>
    </>
  )
}

function Submit({ form }: { form: SignupForm }) {
  return (
    <>
      <div>
        <div className="slot" id="signup-note">
          <div role="alert">{form.errors.form !== undefined && <FieldError>{form.errors.form}</FieldError>}</div>
          {form.errors.form === undefined && !form.values.hasAgreed && (
            <p className="hint">Agree to the terms to create the account.</p>
          )}
        </div>
        <Button
          type="submit"
          variant="primary"
          size="large"
          isBusy={form.isBusy}
          isDisabled={!form.values.hasAgreed}
          onRefused={form.sayWhatIsMissing}
          aria-describedby="signup-note"
        >
          {form.isBusy ? 'Creating account...' : 'Create account'}
        </Button>
      </div>
      <ContinueWithGoogle
        label="Sign up with Google"
        failure={GOOGLE_FAILED}
        isDisabled={!form.values.hasAgreed}
        onRefused={form.sayWhatIsMissing}
        describedBy="signup-note"
      />
    </>
  )
}
