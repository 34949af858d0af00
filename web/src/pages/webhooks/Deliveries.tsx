import { t } from '@lingui/core/macro'
import type { Webhook, WebhookDelivery, WebhookDeliveryState } from '@tapeline/contracts/audit/webhooks'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatAgo } from '../../format/duration.ts'
import { formatDateTime } from '../../format/date.ts'
import { Button } from '../../ui/Button.tsx'
import { Segmented } from '../../ui/Segmented.tsx'
import { StateBadge, type StateTone } from '../../ui/StateBadge.tsx'
import { useNow } from '../../ui/hooks/use-now.ts'
import { DeliveryDialog } from './DeliveryDialog.tsx'
import { RedeliverDialog } from './RedeliverDialog.tsx'
import { deliveriesQuery } from './webhooks.queries.ts'

type Shown = 'all' | WebhookDeliveryState
const TONES: Record<WebhookDeliveryState, StateTone> = { delivered: 'ok', waiting: 'warn', failed: 'bad' }

/** The delivery log of an endpoint, newest first. */
export function Deliveries({ endpoint }: { endpoint: Webhook }) {
  const [shown, show] = useState<Shown>('all')
  const [isRedelivering, setRedelivering] = useState(false)
  const log = useInfiniteQuery(deliveriesQuery(endpoint.id, shown === 'all' ? undefined : shown))
  const deliveries = log.data?.pages.flatMap((page) => page.deliveries) ?? []
  return (
    <section className="panel deliveries" aria-labelledby="deliveries">
      <div className="panel-head">
        <h2 id="deliveries">{t`Deliveries to ${endpoint.name}`}</h2>
        <span className="tools">
          <Segmented
            label={t`Show`}
            options={[
              { value: 'all', label: t`All` },
              { value: 'waiting', label: t`Waiting` },
              { value: 'failed', label: t`Failed` },
            ]}
            value={shown}
            onChoose={show}
          />
          <Button size="small" isDisabled={endpoint.state !== 'active'} onClick={() => setRedelivering(true)}>
            {t`Redeliver a range`}
          </Button>
        </span>
      </div>
      {deliveries.length === 0 ? (
        <Nothing isPending={log.isPending} error={log.error} />
      ) : (
        <DeliveryTable deliveries={deliveries} />
      )}
      {isRedelivering && <RedeliverDialog endpoint={endpoint} onClose={() => setRedelivering(false)} />}
      {log.hasNextPage && (
        <p className="panel-foot">
          <Button size="small" isBusy={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
            {t`Show older deliveries`}
          </Button>
        </p>
      )}
      <p className="panel-foot">
        {t`Kept for 30 days. An event may arrive twice: its webhook-id is the same each time.`}
      </p>
    </section>
  )
}

function Nothing({ isPending, error }: { isPending: boolean; error: Error | null }) {
  const text = isPending ? t`Loading the deliveries` : t`Nothing here yet. Send a test event to see one.`
  return (
    <p className="muted nothing" aria-live="polite">
      {error?.message ?? text}
    </p>
  )
}

function DeliveryTable({ deliveries }: { deliveries: readonly WebhookDelivery[] }) {
  const [open, setOpen] = useState<WebhookDelivery>()
  return (
    <>
      <div className="scroll-x" tabIndex={0} role="region" aria-label={t`Deliveries, table`}>
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{t`Time`}</th>
              <th scope="col">{t`Event`}</th>
              <th scope="col">{t`About`}</th>
              <th scope="col">{t`State`}</th>
              <th scope="col" className="numeric">{t`Attempts`}</th>
              <th scope="col">
                <span className="sr-only">{t`Details`}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {deliveries.map((delivery) => (
              <DeliveryRow key={delivery.id} delivery={delivery} onOpen={() => setOpen(delivery)} />
            ))}
          </tbody>
        </table>
      </div>
      {open !== undefined && <DeliveryDialog delivery={open} onClose={() => setOpen(undefined)} />}
    </>
  )
}

function DeliveryRow({ delivery, onOpen }: { delivery: WebhookDelivery; onOpen: () => void }) {
  const nowMs = useNow()
  const { state, last_attempt: last, next_attempt_at: next } = delivery
  const words: Record<WebhookDeliveryState, string> = {
    delivered: t`Delivered`,
    waiting: next === null || Date.parse(next) <= nowMs ? t`Waiting` : t`Next attempt ${formatAgo(next, nowMs)}`,
    failed: t`Failed`,
  }
  return (
    <tr>
      <td className="mono nowrap">{formatDateTime(delivery.created_at)}</td>
      <td className="mono nowrap">{delivery.type}</td>
      <td className="muted">{delivery.subject}</td>
      <td className="nowrap">
        <StateBadge tone={TONES[state]}>{words[state]}</StateBadge>{' '}
        <span className="mono faint">{last?.status ?? last?.error}</span>
      </td>
      <td className="numeric">{t`${delivery.tries} of ${delivery.tries_max}`}</td>
      <td>
        <Button size="small" variant="quiet" onClick={onOpen} aria-label={t`Details of ${delivery.type}`}>
          {t`Details`}
        </Button>
      </td>
    </tr>
  )
}
