import { t } from '@lingui/core/macro'
import type { KeyKind, KeyScope } from '@tapeline/contracts/api-key/http'
import { useId } from 'react'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { Field, FieldError } from '../../ui/Field.tsx'
import { Input } from '../../ui/Input.tsx'
import type { FormField, KeyForm } from './key-form.ts'

const NAME_LENGTH_MAX = 80
const DESCRIPTION_LENGTH_MAX = 500
const DATA_SCOPES: readonly KeyScope[] = ['trades:read', 'l2events:read', 'files:read', 'stream:read']
const SCOPES: Record<KeyKind, readonly KeyScope[]> = {
  data: DATA_SCOPES,
  service: ['keys:read', 'keys:write', 'usage:read', 'requests:read', 'webhooks:write', 'audit:read', ...DATA_SCOPES],
}

export type KeyFieldsProps = {
  form: KeyForm
  change: (changed: Partial<KeyForm>) => void
  errors: { [field in FormField]?: string }
}

export function NameAndExpiry({ form, change, errors }: KeyFieldsProps) {
  return (
    <>
      <Field label={t`Key Name`} error={errors.name}>
        {(control) => (
          <Input
            {...control}
            name="name"
            autoComplete="off"
            maxLength={NAME_LENGTH_MAX}
            value={form.name}
            onChange={({ currentTarget }) => change({ name: currentTarget.value })}
          />
        )}
      </Field>
      <Field label={t`Description`} isOptional error={errors.description}>
        {(control) => (
          <Input
            {...control}
            name="description"
            autoComplete="off"
            maxLength={DESCRIPTION_LENGTH_MAX}
            value={form.description}
            onChange={({ currentTarget }) => change({ description: currentTarget.value })}
          />
        )}
      </Field>
      <Field
        label={t`Expiration Date`}
        isOptional
        error={errors.expires_at}
        hint={t`It works until the end of that day, UTC. Without a date it does not expire.`}
      >
        {(control) => (
          <Input
            {...control}
            name="expires_at"
            type="date"
            className="mono"
            value={form.expires_at}
            onChange={({ currentTarget }) => change({ expires_at: currentTarget.value })}
          />
        )}
      </Field>
    </>
  )
}

/** Scopes and allowed networks of the key. */
export function ScopesAndNetworks({ kind, form, change, errors }: KeyFieldsProps & { kind: KeyKind }) {
  const noteId = useId()
  return (
    <>
      <fieldset className="scopes" aria-describedby={noteId}>
        <legend className="label">{kind === 'data' ? t`What it may read` : t`What it may do`}</legend>
        {SCOPES[kind].map((scope) => (
          <Checkbox
            key={scope}
            name="scopes"
            checked={form.scopes.includes(scope)}
            onChange={({ currentTarget }) =>
              change({
                scopes: currentTarget.checked ? [...form.scopes, scope] : form.scopes.filter((one) => one !== scope),
              })
            }
          >
            <code>{scope}</code>
          </Checkbox>
        ))}
        <div id={noteId} className="field-note">
          {errors.scopes !== undefined && <FieldError>{errors.scopes}</FieldError>}
        </div>
      </fieldset>
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
