import { t } from '@lingui/core/macro'
import type { ComponentProps } from 'react'
import { Field } from '../ui/Field.tsx'
import { Input } from '../ui/Input.tsx'

type EmailFieldProps = Pick<ComponentProps<typeof Input>, 'maxLength'> & {
  email: string
  error?: string | undefined
  onChange: (email: string) => void
}

/** E-mail address of an existing account. */
export function EmailField({ email, error, onChange, ...input }: EmailFieldProps) {
  return (
    <Field label={t`Email`} error={error}>
      {(control) => (
        <Input
          {...control}
          {...input}
          type="email"
          name="email"
          autoComplete="username"
          required
          value={email}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </Field>
  )
}
