import { t } from '@lingui/core/macro'
import type { ComponentProps } from 'react'
import { Field } from '../../ui/Field.tsx'
import { PasswordInput } from '../../ui/PasswordInput.tsx'

type CurrentPasswordFieldProps = {
  form: {
    errors: { currentPassword?: string }
    input: (name: 'currentPassword') => Partial<ComponentProps<typeof PasswordInput>>
  }
  autoFocus?: boolean
}

/** Prevents changes by a person who finds the browser unattended. */
export function CurrentPasswordField({ form, autoFocus = true }: CurrentPasswordFieldProps) {
  return (
    <Field label={t`Current password`} error={form.errors.currentPassword}>
      {(control) => (
        <PasswordInput
          {...control}
          {...form.input('currentPassword')}
          showLabel={t`Show current password`}
          autoComplete="current-password"
          autoFocus={autoFocus}
        />
      )}
    </Field>
  )
}
