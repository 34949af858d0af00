import { t } from '@lingui/core/macro'
import { Field } from '../../ui/Field.tsx'
import { Input } from '../../ui/Input.tsx'

const REASON_LENGTH_MAX = 300

/** The reason for a change, recorded in the audit trail. */
export function WhyField({ hint, value, onType }: { hint: string; value: string; onType: (reason: string) => void }) {
  return (
    <Field label={t`Why`} isOptional hint={hint}>
      {(control) => (
        <Input
          {...control}
          autoComplete="off"
          maxLength={REASON_LENGTH_MAX}
          value={value}
          onChange={({ currentTarget }) => onType(currentTarget.value)}
        />
      )}
    </Field>
  )
}
