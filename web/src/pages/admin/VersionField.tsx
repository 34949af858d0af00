import { Trans } from '@lingui/react/macro'
import { Field } from '../../ui/Field.tsx'
import { Select } from '../../ui/Input.tsx'

type VersionFieldProps = {
  label: string
  newest: number
  value: number
  onChoose: (version: number) => void
  /** Label of version 0; absent if there is none. */
  none?: string
}

export function VersionField({ label, newest, value, onChoose, none }: VersionFieldProps) {
  const versions = Array.from({ length: newest }, (_, at) => newest - at)
  return (
    <Field label={label}>
      {(control) => (
        <Select {...control} value={value} onChange={(event) => onChoose(Number(event.currentTarget.value))}>
          {versions.map((version) => (
            <option key={version} value={version}>
              <Trans>version {version}</Trans>
            </option>
          ))}
          {none !== undefined && <option value={0}>{none}</option>}
        </Select>
      )}
    </Field>
  )
}
