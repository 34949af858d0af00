import { t } from '@lingui/core/macro'
import { Field, FieldError } from '../../ui/Field.tsx'
import { PasswordInput } from '../../ui/PasswordInput.tsx'
import { StateBadge } from '../../ui/StateBadge.tsx'
import { passwordStrength, STRENGTH_STEPS } from './password-strength.ts'
import type { SignupForm } from './use-signup-form.ts'

const PASSWORD_CHARACTERS_MAX = 1_024

/** Password and confirmation, each with a status line below; errors replace that line. */
export function PasswordFields({ form }: { form: SignupForm }) {
  const { password, confirmation } = form.values
  return (
    <>
      <div>
        <Field label={t`Password`}>
          {(control) => (
            <PasswordInput
              {...control}
              {...form.input('password')}
              autoComplete="new-password"
              maxLength={PASSWORD_CHARACTERS_MAX}
              aria-describedby="password-note"
              aria-invalid={form.errors.password !== undefined || undefined}
            />
          )}
        </Field>
        <div className="below" id="password-note" aria-live="polite">
          {form.errors.password === undefined ? (
            <StrengthLine password={password} />
          ) : (
            <FieldError>{form.errors.password}</FieldError>
          )}
        </div>
      </div>
      <div>
        <Field label={t`Confirm password`}>
          {(control) => (
            <PasswordInput
              {...control}
              {...form.input('confirmation')}
              showLabel={t`Show confirmation`}
              autoComplete="new-password"
              maxLength={PASSWORD_CHARACTERS_MAX}
              aria-describedby="confirmation-note"
              aria-invalid={form.errors.confirmation !== undefined || undefined}
            />
          )}
        </Field>
        <div className="below" id="confirmation-note" aria-live="polite">
          <MatchLine password={password} confirmation={confirmation} error={form.errors.confirmation} />
        </div>
      </div>
    </>
  )
}

function StrengthLine({ password }: { password: string }) {
  const { score, word, advice } = passwordStrength(password)
  const isEmpty = password === ''
  return (
    <p className="strength">
      {Array.from({ length: STRENGTH_STEPS }, (_, step) => (
        <i key={step} className={!isEmpty && step < score ? 'on' : undefined} />
      ))}
      <span>{isEmpty ? t`At least 8 characters` : [`${word}.`, advice].filter(Boolean).join(' ')}</span>
    </p>
  )
}

type MatchLineProps = { password: string; confirmation: string; error: string | undefined }

function MatchLine({ password, confirmation, error }: MatchLineProps) {
  if (error !== undefined) return <FieldError>{error}</FieldError>
  if (confirmation === '') return null
  if (confirmation === password) return <StateBadge tone="ok">{t`Passwords match`}</StateBadge>
  return <StateBadge tone="bad">{t`Passwords do not match`}</StateBadge>
}
