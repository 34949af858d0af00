import { t } from '@lingui/core/macro'
import type { CreateWebhook, Webhook, WebhookWithSecret } from '@tapeline/contracts/audit/webhooks'
import { useState } from 'react'
import { TextField } from '../forms/fields.tsx'
import { FormDialog } from '../forms/FormDialog.tsx'
import { changedFields, useSaveForm } from '../forms/use-save-form.ts'
import { EVENT_TYPES } from './event-types.ts'
import { EventTypes } from './EventTypes.tsx'
import { createWebhook, updateWebhook } from './webhooks.queries.ts'

const NAME_LENGTH_MAX = 60
const EXAMPLE = 'https://hooks.example.com/tapeline'

type EndpointDialogProps = {
  /** The endpoint to edit; without it a new one is created. */
  endpoint?: Webhook | undefined
  onClose: () => void
  onCreated?: ((created: WebhookWithSecret) => void) | undefined
}

export function EndpointDialog({ endpoint, onClose, onCreated }: EndpointDialogProps) {
  const [initial] = useState({
    name: endpoint?.name ?? '',
    url: endpoint?.url ?? '',
    event_types: endpoint?.event_types ?? [...EVENT_TYPES],
  })
  const { form, change, errors, isBusy, submit } = useSaveForm<CreateWebhook>({
    initial,
    check: ({ name, url, event_types }) => ({
      ...(name.trim() === '' ? { name: t`Give the endpoint a name` } : {}),
      ...(URL.canParse(url) ? {} : { url: t`Enter a URL that begins with https://` }),
      ...(event_types.length === 0 ? { event_types: t`Choose at least one` } : {}),
    }),
    save: async (entered) => {
      if (endpoint === undefined) return onCreated?.(await createWebhook(entered))
      const update = changedFields(initial, entered)
      if (Object.keys(update).length > 0) await updateWebhook(endpoint.id, update)
      onClose()
    },
    failed: t`Failed to save the endpoint. Please try again.`,
  })
  return (
    <FormDialog
      title={endpoint === undefined ? t`Add an endpoint` : t`Edit ${endpoint.name}`}
      action={endpoint === undefined ? t`Add endpoint` : t`Save`}
      isBusy={isBusy}
      error={errors.form}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label={t`Name`}
        error={errors.name}
        name="name"
        maxLength={NAME_LENGTH_MAX}
        value={form.name}
        onType={(name) => change({ name })}
      />
      <TextField
        label={t`URL`}
        error={errors.url}
        hint={t`https, reachable from the internet. Redirects are not followed.`}
        name="url"
        type="url"
        className="mono"
        placeholder={EXAMPLE}
        value={form.url}
        onType={(url) => change({ url })}
      />
      <EventTypes
        chosen={form.event_types}
        error={errors.event_types}
        onChange={(event_types) => change({ event_types })}
      />
    </FormDialog>
  )
}
