import { t } from '@lingui/core/macro'
import type { WebhookDelivery, WebhookDeliveryDetail } from '@tapeline/contracts/audit/webhooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatDateTime } from '../../format/date.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { FieldError } from '../../ui/Field.tsx'
import { deliveryQuery, redeliver } from './webhooks.queries.ts'

/** What was sent and what was answered, with every attempt. */
export function DeliveryDialog({ delivery, onClose }: { delivery: WebhookDelivery; onClose: () => void }) {
  const detail = useQuery(deliveryQuery(delivery))
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()

  async function again(): Promise<void> {
    setBusy(true)
    try {
      await redeliver(delivery)
      onClose()
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error))
      setBusy(false)
    }
  }

  return (
    <Dialog
      title={<span className="mono">{delivery.type}</span>}
      lead={t`webhook-id ${delivery.message_id}, sequence ${delivery.sequence}`}
      onClose={onClose}
      foot={
        <>
          <Button variant="primary" isBusy={isBusy} onClick={() => void again()}>
            {t`Redeliver now`}
          </Button>
          <Button onClick={onClose}>{t`Close`}</Button>
        </>
      }
    >
      {detail.data === undefined ? (
        <p className="muted">{detail.error?.message ?? t`Loading the delivery`}</p>
      ) : (
        <Detail detail={detail.data} />
      )}
      <div className="slot" role="alert">
        {failure !== undefined && <FieldError>{failure}</FieldError>}
      </div>
    </Dialog>
  )
}

function Detail({ detail }: { detail: WebhookDeliveryDetail }) {
  return (
    <div className="stack wide">
      <ol className="attempts small">
        {detail.attempts.map(({ at, status, error, latency_ms: ms }) => (
          <li key={at}>
            <span className="mono">{formatDateTime(at)}</span> <span className="mono">{status ?? error}</span>{' '}
            <span className="faint">{t`${ms} ms`}</span>
          </li>
        ))}
      </ol>
      <h3 className="label">{t`Request`}</h3>
      <pre className="code" tabIndex={0} aria-label={t`Request`}>
        {`POST ${detail.request.url}\n\n${detail.request.body}`}
      </pre>
      {detail.response !== null && (
        <>
          <h3 className="label">{t`Answer`}</h3>
          <pre className="code" tabIndex={0} aria-label={t`Answer`}>
            {`${detail.response.status}\n\n${detail.response.body}`}
          </pre>
        </>
      )}
    </div>
  )
}
