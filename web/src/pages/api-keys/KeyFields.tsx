import { t } from '@lingui/core/macro'
import type { KeyKind, KeyScope } from '@tapeline/contracts/api-key/http'
import { Field } from '../../ui/Field.tsx'
import { Checkboxes, TextField } from '../forms/fields.tsx'
import type { FormErrors } from '../forms/use-save-form.ts'
import type { KeyForm } from './key-form.ts'

const NAME_LENGTH_MAX = 80
const DESCRIPTION_LENGTH_MAX = 500
const TAGS_LENGTH_MAX = 400
const NOTE_LENGTH_MAX = 200
const DATA_SCOPES: readonly KeyScope[] = ['trades:read', 'l2events:read', 'files:read', 'stream:read']
const SCOPES: Record<KeyKind, readonly KeyScope[]> = {
  data: DATA_SCOPES,
  service: ['keys:read', 'keys:write', 'usage:read', 'requests:read', 'webhooks:write', 'audit:read', ...DATA_SCOPES],
}

export type KeyFieldsProps = {
  kind: KeyKind
  form: KeyForm
  change: (changed: Partial<KeyForm>) => void
  errors: FormErrors<KeyForm>
}

/** Everything of a key that can be changed. */
export function KeyFields(props: KeyFieldsProps) {
  const { form, change, errors } = props
  return (
    <>
      <DescribingFields {...props} />
      <TextField
        label={t`Owner`}
        isOptional
        error={errors.owner_note}
        name="owner_note"
        maxLength={NOTE_LENGTH_MAX}
        placeholder={t`Who is responsible for it`}
        value={form.owner_note}
        onType={(owner_note) => change({ owner_note })}
      />
      <ScopesAndNetworks {...props} />
    </>
  )
}

/** The fields that a new key is described with. */
export type Description = Pick<KeyForm, 'name' | 'description' | 'expires_at' | 'tags'>
type DescribingFieldsProps = {
  form: Description
  change: (changed: Partial<Description>) => void
  errors: FormErrors<Description>
  isNew?: boolean
}

export function DescribingFields({ form, change, errors, isNew = false }: DescribingFieldsProps) {
  return (
    <>
      <TextField
        label={t`Key Name`}
        error={errors.name}
        name="name"
        autoFocus={isNew}
        required={isNew}
        maxLength={NAME_LENGTH_MAX}
        value={form.name}
        onType={(name) => change({ name })}
      />
      <TextField
        label={t`Description`}
        isOptional
        error={errors.description}
        name="description"
        maxLength={DESCRIPTION_LENGTH_MAX}
        placeholder={isNew ? t`What uses it, and where` : undefined}
        value={form.description}
        onType={(description) => change({ description })}
      />
      <TextField
        label={t`Expiration Date`}
        isOptional
        error={errors.expires_at}
        hint={t`It works until the end of that day, UTC. Without a date it does not expire.`}
        name="expires_at"
        type="date"
        className="mono"
        value={form.expires_at}
        onType={(expires_at) => change({ expires_at })}
      />
      <TextField
        label={t`Tags`}
        isOptional
        error={errors.tags}
        hint={t`Separated by spaces, such as prod team:data. Keys with a tag can be changed together.`}
        name="tags"
        className="mono"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={TAGS_LENGTH_MAX}
        value={form.tags}
        onType={(tags) => change({ tags })}
      />
    </>
  )
}

function ScopesAndNetworks({ kind, form, change, errors }: KeyFieldsProps) {
  return (
    <>
      <Checkboxes
        legend={kind === 'data' ? t`What it may read` : t`What it may do`}
        className="scopes"
        name="scopes"
        options={SCOPES[kind].map((scope) => ({ value: scope, label: <code>{scope}</code> }))}
        chosen={form.scopes}
        error={errors.scopes}
        onChange={(scopes) => change({ scopes })}
      />
      <Field
        label={t`Allowed networks`}
        isOptional
        error={errors.networks}
        hint={t`IPv4 or IPv6 addresses or CIDR networks, one per line. Leave empty to allow any address.`}
      >
        {(control) => (
          <textarea
            {...control}
            name="networks"
            className="input mono networks"
            rows={3}
            spellCheck={false}
            placeholder="203.0.113.0/24"
            value={form.networks}
            onChange={({ currentTarget }) => change({ networks: currentTarget.value })}
          />
        )}
      </Field>
    </>
  )
}
