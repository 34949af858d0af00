import { t } from '@lingui/core/macro'
import type { Webhook, WebhookEventType } from '@tapeline/contracts/audit/webhooks'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { showToast } from '../../ui/toasts/Toasts.tsx'
import { EVENT_TYPES } from './event-types.ts'
import { EventTypes } from './EventTypes.tsx'
import { updateWebhook } from './webhooks.queries.ts'

/** Event types that the endpoint receives; changes are saved together. */
export function EventTypesPanel({ endpoint }: { endpoint: Webhook }) {
  const [draft, setDraft] = useState<readonly WebhookEventType[]>()
  const save = useMutation({
    mutationFn: (event_types: WebhookEventType[]) => updateWebhook(endpoint.id, { event_types }),
    onSuccess: (_, sent) => {
      // Changes made during the request stay in the draft.
      setDraft((current) => (current === undefined || isSame(current, sent) ? undefined : current))
      showToast({ type: 'success', title: t`The event types are saved` })
    },
  })
  const chosen = draft ?? endpoint.event_types
  const isChanged = draft !== undefined && !isSame(draft, endpoint.event_types)
  const problem = chosen.length === 0 ? t`Choose at least one` : save.error?.message
  return (
    <section className="panel" aria-labelledby="event-types">
      <div className="panel-head">
        <h2 id="event-types">{t`Event types`}</h2>
        <span className="small muted">{t`${chosen.length} of ${EVENT_TYPES.length} chosen`}</span>
        <span className="tools">
          {isChanged ? (
            <>
              <Button size="small" variant="quiet" onClick={() => setDraft(undefined)}>
                {t`Discard`}
              </Button>
              <Button
                size="small"
                isBusy={save.isPending}
                isDisabled={chosen.length === 0}
                onClick={() => save.mutate([...chosen])}
              >
                {t`Save`}
              </Button>
            </>
          ) : (
            <Button
              size="small"
              variant="quiet"
              isDisabled={chosen.length === EVENT_TYPES.length}
              onClick={() => setDraft(EVENT_TYPES)}
            >
              {t`Choose all`}
            </Button>
          )}
        </span>
      </div>
      <div className="panel-body" role="group" aria-label={t`Event types of ${endpoint.name}`}>
        <EventTypes chosen={chosen} error={isChanged ? problem : undefined} onChange={setDraft} />
      </div>
    </section>
  )
}

function isSame(one: readonly WebhookEventType[], other: readonly WebhookEventType[]): boolean {
  return one.toSorted().join() === other.toSorted().join()
}
