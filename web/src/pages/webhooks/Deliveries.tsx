import { t } from '@lingui/core/macro'
import type { Webhook, WebhookDelivery, WebhookDeliveryState } from '@tapeline/contracts/audit/webhooks'
import { useState } from 'react'
import { formatClock, formatDayOfMonth } from '../../format/date.ts'
import { formatAgo } from '../../format/duration.ts'
import { formatCount } from '../../format/number.ts'
import { useSettings } from '../../settings/use-settings.ts'
import { Button } from '../../ui/Button.tsx'
import { Segmented } from '../../ui/Segmented.tsx'
import { useNow } from '../../ui/hooks/use-now.ts'
import { DeliveryState } from './DeliveryState.tsx'
import { RedeliverDialog } from './RedeliverDialog.tsx'

export type ShownState = 'all' | WebhookDeliveryState

type Log = {
  deliveries: readonly WebhookDelivery[]
  isPending: boolean
  error: Error | null
  hasMore: boolean
  isLoadingMore: boolean
  onMore: () => void
}
type DeliveriesProps = {
  endpoint: Webhook
  log: Log
  shown: ShownState
  chosenId: string | undefined
  onShow: (shown: ShownState) => void
  onChoose: (id: string) => void
}

/** The delivery log of an endpoint, newest first. */
export function Deliveries({ endpoint, log, shown, chosenId, onShow, onChoose }: DeliveriesProps) {
  const [isRedelivering, setRedelivering] = useState(false)
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
            onChoose={onShow}
          />
          <Button size="small" isDisabled={endpoint.state !== 'active'} onClick={() => setRedelivering(true)}>
            {t`Redeliver a range`}
          </Button>
        </span>
      </div>
      {log.deliveries.length === 0 ? (
        <Nothing isPending={log.isPending} error={log.error} shown={shown} />
      ) : (
        <DeliveryTable deliveries={log.deliveries} chosenId={chosenId} onChoose={onChoose} />
      )}
      {isRedelivering && <RedeliverDialog endpoint={endpoint} onClose={() => setRedelivering(false)} />}
      {log.hasMore && (
        <p className="panel-foot">
          <Button size="small" isBusy={log.isLoadingMore} onClick={log.onMore}>
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

function Nothing({ isPending, error, shown }: { isPending: boolean; error: Error | null; shown: ShownState }) {
  const words: Record<ShownState, string> = {
    all: t`Nothing here yet. Send a test event to see one.`,
    waiting: t`No delivery is waiting.`,
    failed: t`No delivery has failed.`,
    delivered: t`Nothing was delivered yet.`,
  }
  return (
    <p className="muted nothing" aria-live="polite">
      {error?.message ?? (isPending ? t`Loading the deliveries` : words[shown])}
    </p>
  )
}

type DeliveryTableProps = Pick<DeliveriesProps, 'chosenId' | 'onChoose'> & { deliveries: readonly WebhookDelivery[] }

function DeliveryTable({ deliveries, chosenId, onChoose }: DeliveryTableProps) {
  return (
    <div className="scroll-x" tabIndex={0} role="region" aria-label={t`Deliveries, table`}>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">{t`Time`}</th>
            <th scope="col">{t`Event`}</th>
            <th scope="col" className="only-roomy">{t`About`}</th>
            <th scope="col">{t`State`}</th>
            <th scope="col" className="only-roomy">
              <span className="sr-only">{t`Next attempt`}</span>
            </th>
            <th scope="col" className="numeric only-roomy">{t`Attempts`}</th>
            <th scope="col" className="numeric only-roomy">{t`ms`}</th>
          </tr>
        </thead>
        <tbody>
          {deliveries.map((delivery) => (
            <DeliveryRow
              key={delivery.id}
              delivery={delivery}
              isChosen={delivery.id === chosenId}
              onChoose={() => onChoose(delivery.id)}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

type DeliveryRowProps = { delivery: WebhookDelivery; isChosen: boolean; onChoose: () => void }

function DeliveryRow({ delivery, isChosen, onChoose }: DeliveryRowProps) {
  const { timezone } = useSettings()
  const { last_attempt: last, created_at: at } = delivery
  const nowMs = useNow()
  const day = formatDayOfMonth(at, timezone)
  return (
    <tr className={isChosen ? 'is-selected' : undefined}>
      <td className="nowrap">
        <span className="mono">{formatClock(at, timezone)}</span>{' '}
        {day !== formatDayOfMonth(nowMs, timezone) && <span className="faint small day">{day}</span>}
      </td>
      <td className="nowrap">
        <button type="button" className="row-button mono" aria-pressed={isChosen} onClick={onChoose}>
          <span className="sr-only">{t`Details of`} </span>
          {delivery.type}
        </button>
      </td>
      <td className="muted clip only-roomy">{delivery.subject}</td>
      <td className="nowrap">
        <DeliveryState delivery={delivery} />{' '}
        <span className="mono faint only-roomy">{last?.status ?? last?.error}</span>
      </td>
      <td className="faint small nowrap only-roomy">
        <NextAttempt delivery={delivery} />
      </td>
      <td className="numeric only-roomy">{t`${delivery.tries} of ${delivery.tries_max}`}</td>
      <td className="numeric only-roomy">{last === null ? '' : formatCount(last.latency_ms)}</td>
    </tr>
  )
}

function NextAttempt({ delivery: { next_attempt_at: next } }: { delivery: WebhookDelivery }) {
  const nowMs = useNow()
  return next === null || Date.parse(next) <= nowMs ? null : formatAgo(next, nowMs)
}
