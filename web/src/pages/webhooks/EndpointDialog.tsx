import { t } from '@lingui/core/macro'
import type { CreateWebhook, Webhook, WebhookEventType, WebhookWithSecret } from '@tapeline/contracts/audit/webhooks'
import { type FormEvent, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { Button } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field, FieldError } from '../../ui/Field.tsx'
import { Input } from '../../ui/Input.tsx'
import { focusField } from '../focus-field.ts'
import { createWebhook, updateWebhook } from './webhooks.queries.ts'

const FORM_ID = 'webhook-endpoint'
const NAME_LENGTH_MAX = 60
const EXAMPLE = 'https://hooks.example.com/tapeline'
/** All that are published; the contract itself would bring its schemas into the browser. */
const TYPES: readonly WebhookEventType[] = [
  'key.created',
  'key.updated',
  'key.rotated',
  'key.revoked',
  'key.deleted',
  'key.expiring',
  'key.expired',
  'key.used_from_new_network',
  'key.leaked',
  'usage.threshold',
  'usage.alert',
  'limit.reached',
  'plan.changed',
  'plan.trial_started',
  'plan.trial_ending',
  'plan.trial_ended',
  'session.new_device',
  'incident.opened',
  'incident.resolved',
  'data.day_sealed',
  'data.corrected',
]

type Errors = { [field in keyof CreateWebhook | 'form']?: string }
type EndpointDialogProps = {
  /** Is changed; without it a new endpoint is made. */
  endpoint?: Webhook | undefined
  onClose: () => void
  onCreated?: ((made: WebhookWithSecret) => void) | undefined
}

export function EndpointDialog({ endpoint, onClose, onCreated }: EndpointDialogProps) {
  const { form, change, errors, isBusy, submit } = useEndpointForm({ endpoint, onClose, onCreated })
  const action = endpoint === undefined ? t`Add endpoint` : t`Save`
  return (
    <Dialog
      title={endpoint === undefined ? t`Add an endpoint` : t`Edit ${endpoint.name}`}
      onClose={onClose}
      canClose={!isBusy}
      foot={
        <>
          <Button variant="primary" type="submit" form={FORM_ID} isBusy={isBusy}>
            {action}
          </Button>
          <Button onClick={onClose} isDisabled={isBusy}>
            {t`Cancel`}
          </Button>
        </>
      }
    >
      <form id={FORM_ID} className="stack wide" onSubmit={submit} noValidate>
        <Field label={t`Name`} error={errors.name}>
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
        <Field
          label={t`Address`}
          error={errors.url}
          hint={t`https, reachable from the internet. Redirects are not followed.`}
        >
          {(control) => (
            <Input
              {...control}
              name="url"
              type="url"
              className="mono"
              autoComplete="off"
              placeholder={EXAMPLE}
              value={form.url}
              onChange={({ currentTarget }) => change({ url: currentTarget.value })}
            />
          )}
        </Field>
        <EventTypes chosen={form.event_types} error={errors.event_types} onChange={change} />
        <div className="slot" role="alert">
          {errors.form !== undefined && <FieldError>{errors.form}</FieldError>}
        </div>
      </form>
    </Dialog>
  )
}

type EventTypesProps = {
  chosen: readonly WebhookEventType[]
  error: string | undefined
  onChange: (changed: { event_types: WebhookEventType[] }) => void
}

function EventTypes({ chosen, error, onChange }: EventTypesProps) {
  return (
    <fieldset className="event-types" aria-describedby="event-types-note">
      <legend className="label">{t`Events`}</legend>
      {TYPES.map((type) => (
        <Checkbox
          key={type}
          name="event_types"
          checked={chosen.includes(type)}
          onChange={({ currentTarget }) =>
            onChange({ event_types: currentTarget.checked ? [...chosen, type] : chosen.filter((one) => one !== type) })
          }
        >
          <code>{type}</code>
        </Checkbox>
      ))}
      <div id="event-types-note" className="field-note">
        {error !== undefined && <FieldError>{error}</FieldError>}
      </div>
    </fieldset>
  )
}

/** Values are kept after a failure; server errors are shown at their fields. */
function useEndpointForm({ endpoint, onClose, onCreated }: EndpointDialogProps) {
  const [form, setForm] = useState<CreateWebhook>({
    name: endpoint?.name ?? '',
    url: endpoint?.url ?? '',
    event_types: endpoint?.event_types ?? [...TYPES],
  })
  const [errors, setErrors] = useState<Errors>({})
  const [isBusy, setBusy] = useState(false)

  function show(element: HTMLFormElement, found: Errors): void {
    setErrors(found)
    const [first] = Object.keys(found)
    if (first !== undefined) focusField(element, first)
  }

  async function save(element: HTMLFormElement): Promise<void> {
    setBusy(true)
    try {
      if (endpoint === undefined) onCreated?.(await createWebhook(form))
      else {
        await updateWebhook(endpoint.id, form)
        onClose()
      }
    } catch (error) {
      setBusy(false)
      show(element, errorsOf(error))
    }
  }

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    if (isBusy) return
    const missing: Errors = {
      ...(form.name.trim() === '' ? { name: t`Give the endpoint a name` } : {}),
      ...(URL.canParse(form.url) ? {} : { url: t`Enter an address that begins with https://` }),
      ...(form.event_types.length === 0 ? { event_types: t`Choose at least one` } : {}),
    }
    if (Object.keys(missing).length > 0) show(event.currentTarget, missing)
    else void save(event.currentTarget)
  }

  function change(changed: Partial<CreateWebhook>): void {
    setForm({ ...form, ...changed })
    setErrors({})
  }

  return { form, change, errors, isBusy, submit }
}

function errorsOf(error: unknown): Errors {
  if (!(error instanceof ApiError) || error.status === 0 || error.status >= 500) {
    return { form: t`Failed to save the endpoint. Please try again.` }
  }
  const fields = ['name', 'url', 'event_types'] as const
  const found = error.errors.flatMap(({ field, message }) => {
    const name = fields.find((one) => field.replace(/^\//, '').startsWith(one))
    return name === undefined ? [] : [[name, message]]
  })
  return found.length > 0 ? Object.fromEntries(found) : { form: error.message }
}
