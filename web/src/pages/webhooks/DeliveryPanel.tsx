import { plural, t } from '@lingui/core/macro'
import type { WebhookDeliveryDetail } from '@tapeline/contracts/audit/webhooks'
import { useMutation, useQuery } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import type { Ref } from 'react'
import { formatClock, formatDate } from '../../format/date.ts'
import { formatAgo } from '../../format/duration.ts'
import { formatCount } from '../../format/number.ts'
import { useSettings } from '../../settings/use-settings.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { FieldError } from '../../ui/Field.tsx'
import { useNow } from '../../ui/hooks/use-now.ts'
import { Bone } from '../../ui/Skeleton.tsx'
import { showToast } from '../../ui/toasts/Toasts.tsx'
import { DeliveryState } from './DeliveryState.tsx'
import { RetrySchedule } from './RetrySchedule.tsx'
import { type DeliveryName, deliveryQuery, redeliver } from './webhooks.queries.ts'

const METHOD = 'POST'

type DeliveryPanelProps = {
  delivery: DeliveryName
  /** Chosen by the user, not by default: a narrow page shows only these. */
  isChosen: boolean
  headRef: Ref<HTMLHeadingElement>
}

/** One delivery: every attempt, the request and the answer. */
export function DeliveryPanel({ delivery, isChosen, headRef }: DeliveryPanelProps) {
  const { data, error } = useQuery(deliveryQuery(delivery))
  const again = useMutation({
    mutationFn: () => redeliver(delivery),
    onSuccess: () => showToast({ type: 'success', title: t`The delivery is being sent again` }),
  })
  return (
    <section className={isChosen ? 'panel delivery' : 'panel delivery is-default'} aria-labelledby="delivery">
      <div className="panel-head">
        <h2 id="delivery" className="mono" ref={headRef} tabIndex={-1}>
          {data?.type ?? t`Delivery`}
        </h2>
        {data !== undefined && <DeliveryState delivery={data} />}
        <span className="tools">
          <Button
            size="small"
            icon={<RefreshCw className="icon" aria-hidden="true" />}
            isBusy={again.isPending}
            isDisabled={data === undefined}
            onClick={() => again.mutate()}
          >
            {t`Redeliver now`}
          </Button>
        </span>
      </div>
      {again.error !== null && (
        <div className="panel-foot" role="alert">
          <FieldError>{again.error.message}</FieldError>
        </div>
      )}
      {data === undefined ? (
        <div className="panel-body" aria-busy={error === null}>
          {error === null ? <Bone widthPx={240} /> : <p className="muted">{error.message}</p>}
        </div>
      ) : (
        <Detail detail={data} />
      )}
    </section>
  )
}

function Detail({ detail }: { detail: WebhookDeliveryDetail }) {
  const { timezone } = useSettings()
  const { request, response, last_attempt: last } = detail
  const { pathname } = new URL(request.url)
  return (
    <>
      <div className="panel-body stack">
        <dl className="key-values small">
          <dt>{t`Event`}</dt>
          <dd className="mono">{detail.message_id}</dd>
          <dt>{t`Happened`}</dt>
          <dd>
            {formatDate(detail.created_at, timezone)},{' '}
            <span className="mono">{formatClock(detail.created_at, timezone)}</span>
          </dd>
          <dt>{t`Sequence`}</dt>
          <dd className="mono">{formatCount(detail.sequence)}</dd>
        </dl>
        <RetrySchedule detail={detail} />
        <p className="small muted">
          <Outlook detail={detail} />
        </p>
      </div>
      <div className="part-head">
        <b>{t`Request`}</b>
        <span className="mono muted clip" title={request.url}>{`${METHOD} ${pathname}`}</span>
        <span className="end">
          <CopyButton size="small" text={request.body} label={t`Copy the request body`} />
        </span>
      </div>
      <pre className="code" tabIndex={0} aria-label={t`Request`}>
        {indented(request.body)}
      </pre>
      <div className="part-head">
        <b>{t`Response`}</b>
        <span className="mono">{response?.status ?? last?.error ?? t`none yet`}</span>
        {last !== null && <span className="mono faint end">{t`${formatCount(last.latency_ms)} ms`}</span>}
      </div>
      {response !== null && (
        <pre className="code" tabIndex={0} aria-label={t`Response`}>
          {answerText(response)}
        </pre>
      )}
    </>
  )
}

/** Next step of the delivery. */
function Outlook({
  detail: { state, tries, tries_max: max, next_attempt_at: next },
}: {
  detail: WebhookDeliveryDetail
}) {
  const nowMs = useNow()
  if (state === 'delivered')
    return plural(tries, { one: 'Accepted after # attempt.', other: 'Accepted after # attempts.' })
  if (state === 'failed' && tries === 0) {
    return t`Not sent: the endpoint was disabled. Redeliver it when the endpoint works again.`
  }
  if (state === 'failed') {
    return plural(tries, {
      one: 'Given up after # attempt. Redeliver it when the endpoint works again.',
      other: 'Given up after # attempts. Redeliver it when the endpoint works again.',
    })
  }
  if (next === null) return t`It is sent when the endpoint is active again.`
  const when = formatAgo(Math.max(nowMs + 1, Date.parse(next)), nowMs)
  return t`Attempt ${tries + 1} of ${max} ${when}. After the last one it is given up; you can still redeliver it.`
}

function answerText({ headers, body }: NonNullable<WebhookDeliveryDetail['response']>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return [...lines, '', body].join('\n').trim()
}

/** JSON is indented; other content is unchanged. */
function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), undefined, 2)
  } catch {
    return body
  }
}
