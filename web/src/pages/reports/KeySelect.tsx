import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Field } from '../../ui/Field.tsx'
import { Select } from '../../ui/Input.tsx'
import { keysQuery } from '../api-keys/api-keys.queries.ts'

type KeySelectProps = {
  value: string | null
  /** Label of the choice without a key. */
  all: string
  error: string | undefined
  onChange: (keyId: string | null) => void
}

export function KeySelect({ value, all, error, onChange }: KeySelectProps) {
  const keys = useQuery(keysQuery)
  const isListed = value === null || keys.data?.some(({ id }) => id === value) === true
  return (
    <Field label={t`API key`} error={error}>
      {(control) => (
        <Select
          {...control}
          name="api_key_id"
          value={value ?? ''}
          onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? null : currentTarget.value)}
        >
          <option value="">{all}</option>
          {!isListed && (
            <option value={value}>{keys.data === undefined ? t`one key` : t`Deleted or unknown key`}</option>
          )}
          {keys.data?.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
}
