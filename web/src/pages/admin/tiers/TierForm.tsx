import { t } from '@lingui/core/macro'
import { useId } from 'react'
import { i18n } from '../../../language/i18n.ts'
import { Checkbox } from '../../../ui/Checkbox.tsx'
import { Field, FieldError, type FieldControl } from '../../../ui/Field.tsx'
import { Input } from '../../../ui/Input.tsx'
import { limitWarnings } from './limit-warnings.ts'
import { shownIn } from './tier-edits.ts'
import { SHARED_SECTIONS, TIER_SECTIONS, type TierField } from './tier-fields.ts'
import { titleOf, type TierPlace } from './TierList.tsx'
import type { useTierEdits } from './use-tier-edits.ts'

type Editing = ReturnType<typeof useTierEdits>
type TierFormProps = { place: Exclude<TierPlace, 'history'>; editing: Editing }

/** Every field of one tier. Changes are sent only after they were reviewed. */
export function TierForm({ place, editing }: TierFormProps) {
  const sections = place === 'metadata' ? SHARED_SECTIONS : TIER_SECTIONS
  const titleId = useId()
  const warnings = limitWarnings(editing.on.tiers, editing.edits)
  return (
    <section className="panel tier-form" aria-labelledby={titleId}>
      <div className="panel-head">
        <h2 id={titleId}>{titleOf(place, editing.on.tiers)}</h2>
      </div>
      {editing.errors['form'] !== undefined && (
        <div className="tier-refused" role="alert">
          <FieldError>{editing.errors['form']}</FieldError>
        </div>
      )}
      {sections.map(({ title, fields }) => (
        <fieldset key={title.id}>
          <legend>{i18n._(title)}</legend>
          <div className="tier-fields">
            {fields.map((field) => (
              <OneField
                key={field.at}
                field={field}
                pointer={`/${place}${field.at}`}
                editing={editing}
                warnings={warnings}
              />
            ))}
          </div>
        </fieldset>
      ))}
    </section>
  )
}

type OneFieldProps = {
  field: TierField
  pointer: string
  editing: Editing
  warnings: Readonly<Record<string, string>>
}

function OneField({ field: { label, kind, hint, isWide }, pointer, editing, warnings }: OneFieldProps) {
  const { on, edits, errors, type } = editing
  const shown = shownIn(edits, on.tiers, { pointer, kind })
  const isChanged = edits[pointer] !== undefined
  const before = shownIn({}, on.tiers, { pointer, kind })
  if (typeof shown === 'boolean') {
    return (
      <div className={isChanged ? 'is-changed' : undefined}>
        <Checkbox
          name={pointer}
          checked={shown}
          onChange={({ currentTarget }) => type({ pointer, kind, typed: currentTarget.checked })}
        >
          {i18n._(label)}
        </Checkbox>
        {errors[pointer] !== undefined && <FieldError>{errors[pointer]}</FieldError>}
      </div>
    )
  }
  const was = isChanged && kind !== 'lines' ? previousValue(before) : hint && i18n._(hint)
  return (
    <div className={`${isWide === true ? 'is-wide' : ''} ${isChanged ? 'is-changed' : ''}`}>
      <Field
        label={i18n._(label)}
        isOptional={kind.endsWith('?')}
        error={errors[pointer] ?? warnings[pointer]}
        hint={was}
      >
        {(control) => (
          <Control
            control={control}
            kind={kind}
            pointer={pointer}
            value={shown}
            onType={(typed) => type({ pointer, kind, typed })}
          />
        )}
      </Field>
    </div>
  )
}

function previousValue(before: unknown): string {
  return t`was ${before === '' ? t`empty` : String(before)}`
}

type ControlProps = {
  control: FieldControl
  kind: TierField['kind']
  pointer: string
  value: string
  onType: (typed: string) => void
}

function Control({ control, kind, pointer, value, onType }: ControlProps) {
  const shared = {
    ...control,
    name: pointer,
    value,
    autoComplete: 'off',
    onChange: (event: { currentTarget: { value: string } }) => onType(event.currentTarget.value),
  }
  if (kind === 'lines')
    return <textarea {...shared} className="input" rows={Math.max(3, value.split('\n').length + 1)} />
  const isNumber = kind.startsWith('number')
  return <Input {...shared} inputMode={isNumber ? 'decimal' : undefined} className={isNumber ? 'mono' : ''} />
}
