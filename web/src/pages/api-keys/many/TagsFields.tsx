import { t } from '@lingui/core/macro'
import { Field } from '../../../ui/Field.tsx'
import { Input } from '../../../ui/Input.tsx'
import type { KeyFieldsProps } from '../KeyFields.tsx'

const TAGS_LENGTH_MAX = 400
const NOTE_LENGTH_MAX = 200

/** Tags to select keys by, and who is responsible for the key. */
export function TagsFields({ form, change, errors }: KeyFieldsProps) {
  return (
    <>
      <Field
        label={t`Tags`}
        isOptional
        error={errors.tags}
        hint={t`Separated by spaces, such as prod team:data. Keys with a tag can be changed together.`}
      >
        {(control) => (
          <Input
            {...control}
            name="tags"
            className="mono"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={TAGS_LENGTH_MAX}
            value={form.tags}
            onChange={({ currentTarget }) => change({ tags: currentTarget.value })}
          />
        )}
      </Field>
      <Field label={t`Owner`} isOptional error={errors.owner_note}>
        {(control) => (
          <Input
            {...control}
            name="owner_note"
            autoComplete="off"
            maxLength={NOTE_LENGTH_MAX}
            placeholder={t`Who is responsible for it`}
            value={form.owner_note}
            onChange={({ currentTarget }) => change({ owner_note: currentTarget.value })}
          />
        )}
      </Field>
    </>
  )
}
