import type { ComponentProps, ReactNode } from 'react'
import { useId } from 'react'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { Field, FieldError } from '../../ui/Field.tsx'
import { Input, Select } from '../../ui/Input.tsx'

type Shown = { label: string; error?: string | undefined; hint?: ReactNode; isOptional?: boolean }
type TextFieldProps = Shown &
  Omit<ComponentProps<typeof Input>, 'id' | 'onChange'> & { name: string; onType: (text: string) => void }

/** `name` is that of the body's field, so that an error of the server is found there. */
export function TextField({ label, error, hint, isOptional = false, onType, ...input }: TextFieldProps) {
  return (
    <Field label={label} error={error} hint={hint} isOptional={isOptional}>
      {(control) => (
        <Input
          autoComplete="off"
          {...input}
          {...control}
          onChange={({ currentTarget }) => onType(currentTarget.value)}
        />
      )}
    </Field>
  )
}

type SelectFieldProps<T extends string> = Shown & {
  name: string
  value: T
  options: readonly { value: T; label: string }[]
  onChoose: (value: T) => void
}

export function SelectField<T extends string>({ label, error, hint, name, ...chosen }: SelectFieldProps<T>) {
  const { value, options, onChoose } = chosen
  return (
    <Field label={label} error={error} hint={hint}>
      {(control) => (
        <Select
          {...control}
          name={name}
          value={value}
          onChange={({ currentTarget }) => {
            const option = options.find((one) => one.value === currentTarget.value)
            if (option !== undefined) onChoose(option.value)
          }}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
}

type CheckboxesProps<T extends string> = {
  legend: string
  name: string
  options: readonly { value: T; label: ReactNode }[]
  chosen: readonly string[]
  error?: string | undefined
  hint?: string
  className?: string
  onChange: (chosen: T[]) => void
}

/** Any number of a few values, in the order of the options. */
export function Checkboxes<T extends string>({ legend, name, options, chosen, ...rest }: CheckboxesProps<T>) {
  const noteId = useId()
  const { error, hint, className, onChange } = rest
  const values = options.map(({ value }) => value)
  return (
    <fieldset className={className} aria-describedby={noteId}>
      <legend className="label">{legend}</legend>
      {options.map(({ value, label }) => (
        <Checkbox
          key={value}
          name={name}
          checked={chosen.includes(value)}
          onChange={({ currentTarget: { checked } }) =>
            onChange(values.filter((one) => (one === value ? checked : chosen.includes(one))))
          }
        >
          {label}
        </Checkbox>
      ))}
      <div id={noteId} className="field-note">
        {error !== undefined && <FieldError>{error}</FieldError>}
        {error === undefined && hint !== undefined && <p className="hint">{hint}</p>}
      </div>
    </fieldset>
  )
}
