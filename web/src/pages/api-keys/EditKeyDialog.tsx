import { t } from '@lingui/core/macro'
import type { ApiKey } from '@tapeline/contracts/api-key/http'
import { useId } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field, FieldError } from '../../ui/Field.tsx'
import { Input } from '../../ui/Input.tsx'
import { useEditKey } from './use-edit-key.ts'

const NAME_LENGTH_MAX = 80
const DESCRIPTION_LENGTH_MAX = 500
const SCOPES = ['trades:read', 'l2events:read', 'files:read'] as const

/** Everything of a key but its secret; it holds with the next request. */
export function EditKeyDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const formId = useId()
  const editing = useEditKey(apiKey, onClose)
  const { errors, isBusy, isChanged, submit } = editing
  return (
    <Dialog
      title={t`Edit ${apiKey.name}`}
      onClose={onClose}
      canClose={!isBusy}
      foot={
        <>
          <Button variant="primary" type="submit" form={formId} isBusy={isBusy} isDisabled={!isChanged}>
            {t`Save Key`}
          </Button>
          <Button onClick={onClose} isDisabled={isBusy}>
            {t`Cancel`}
          </Button>
        </>
      }
    >
      <form id={formId} className="stack wide" onSubmit={submit} noValidate>
        <NameAndExpiry editing={editing} />
        <WhereAndWhat editing={editing} />
        <div className="slot" role="alert">
          {errors.form !== undefined && <FieldError>{errors.form}</FieldError>}
        </div>
      </form>
    </Dialog>
  )
}

type Editing = { editing: ReturnType<typeof useEditKey> }

function NameAndExpiry({ editing: { form, change, errors } }: Editing) {
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
function WhereAndWhat({ editing: { form, change, errors } }: Editing) {
  const noteId = useId()
  return (
    <>
      <fieldset className="scopes" aria-describedby={noteId}>
        <legend className="label">{t`What it may read`}</legend>
        {SCOPES.map((scope) => (
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
