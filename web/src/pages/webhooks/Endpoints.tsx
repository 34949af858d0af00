import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import type { Webhook, WebhookWithSecret } from '@tapeline/contracts/audit/webhooks'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Plus, Send } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { formatCount } from '../../format/number.ts'
import { useSearchParams } from '../../router.ts'
import { Button } from '../../ui/Button.tsx'
import { Deliveries, type ShownState } from './Deliveries.tsx'
import { DeliveryPanel } from './DeliveryPanel.tsx'
import { EndpointDialog } from './EndpointDialog.tsx'
import { countDay, EndpointRow, toastAfter } from './EndpointRow.tsx'
import { EventTypesPanel } from './EventTypesPanel.tsx'
import { SigningSecret } from './SigningSecret.tsx'
import { SigningSecretDialog } from './SigningSecretDialog.tsx'
import { deliveriesQuery, sendTest } from './webhooks.queries.ts'

type EndpointsProps = { endpoints: readonly Webhook[]; max: number }

export function Endpoints({ endpoints, max }: EndpointsProps) {
  const [isCreating, setCreating] = useState(false)
  const [created, setCreated] = useState<WebhookWithSecret>()
  const [search, setSearch] = useSearchParams()
  const choose = (endpoint: string) => setSearch({ endpoint }, { replace: true })
  const chosen = endpoints.find(({ id }) => id === search.get('endpoint')) ?? endpoints[0]
  const add = (
    <Button
      variant="primary"
      icon={<Plus className="icon" aria-hidden="true" />}
      isDisabled={endpoints.length >= max}
      onClick={() => setCreating(true)}
    >
      {t`Add endpoint`}
    </Button>
  )
  return (
    <>
      <PageBar endpoints={endpoints} chosen={chosen} add={add} />
      {chosen === undefined ? (
        <NoEndpoints add={add} />
      ) : (
        <>
          <section className="panel endpoints" aria-label={t`Endpoints`}>
            <div className="endpoints-head" aria-hidden="true">
              <span>{t`Endpoint`}</span>
              <span>{t`State`}</span>
              <span>{t`Last 24 hours`}</span>
              <span className="numeric">{t`Sent`}</span>
              <span className="numeric">{t`Delivered`}</span>
            </div>
            {endpoints.map((endpoint) => (
              <EndpointRow
                key={endpoint.id}
                endpoint={endpoint}
                isChosen={endpoint === chosen}
                onChoose={() => choose(endpoint.id)}
                onRotated={setCreated}
              />
            ))}
          </section>
          <ChosenEndpoint key={chosen.id} endpoint={chosen} onRotated={setCreated} />
        </>
      )}
      {isCreating && (
        <EndpointDialog
          onClose={() => setCreating(false)}
          onCreated={(result) => {
            setCreating(false)
            setCreated(result)
            choose(result.endpoint.id)
          }}
        />
      )}
      {created !== undefined && <SigningSecretDialog created={created} onClose={() => setCreated(undefined)} />}
    </>
  )
}

type PageBarProps = { endpoints: readonly Webhook[]; chosen: Webhook | undefined; add: React.ReactNode }

function PageBar({ endpoints, chosen, add }: PageBarProps) {
  const { sent, waiting } = countDay(endpoints)
  const count = endpoints.length
  return (
    <div className="pagebar">
      <p>
        <Trans>
          <b className="mono">{count}</b> <Plural value={count} one="endpoint" other="endpoints" />
        </Trans>
        {count > 0 && (
          <>
            {' '}
            <span className="faint">·</span>{' '}
            <Trans>
              <b className="mono">{formatCount(sent)}</b>{' '}
              <Plural value={sent} one="delivery in 24 hours" other="deliveries in 24 hours" />
            </Trans>
          </>
        )}
        {waiting > 0 && (
          <>
            {' '}
            <span className="faint">·</span>{' '}
            <Trans>
              <b className="mono">{formatCount(waiting)}</b> waiting
            </Trans>
          </>
        )}
      </p>
      {chosen !== undefined && (
        <div className="actions">
          <Button
            icon={<Send className="icon" aria-hidden="true" />}
            isDisabled={chosen.state === 'disabled'}
            onClick={() => void toastAfter(sendTest(chosen.id), t`A test event is on its way to ${chosen.name}`)}
          >
            {t`Send a test event`}
          </Button>
          {add}
        </div>
      )}
    </div>
  )
}

/** The log of an endpoint beside one of its deliveries, its event types and its secret. */
function ChosenEndpoint({
  endpoint,
  onRotated,
}: {
  endpoint: Webhook
  onRotated: (rotated: WebhookWithSecret) => void
}) {
  const [search, setSearch] = useSearchParams()
  const [shown, setShown] = useState<ShownState>('all')
  const head = useRef<HTMLHeadingElement>(null)
  const log = useInfiniteQuery(deliveriesQuery(endpoint.id, shown === 'all' ? undefined : shown))
  const deliveries = log.data?.pages.flatMap((page) => page.deliveries) ?? []
  const linked = search.get('delivery')
  const id = linked ?? deliveries[0]?.id

  // Beside the log the panel is in sight; on a narrow page it is above, perhaps beyond the window.
  useEffect(() => {
    if (linked !== null && (head.current?.getBoundingClientRect().top ?? 0) < 0) head.current?.focus()
  }, [linked])

  return (
    <div className="webhooks-split">
      <div>
        <Deliveries
          endpoint={endpoint}
          log={{
            deliveries,
            isPending: log.isPending,
            error: log.error,
            hasMore: log.hasNextPage,
            isLoadingMore: log.isFetchingNextPage,
            onMore: () => void log.fetchNextPage(),
          }}
          shown={shown}
          chosenId={id}
          onShow={setShown}
          onChoose={(delivery) => setSearch({ endpoint: endpoint.id, delivery }, { replace: true })}
        />
        <EventTypesPanel endpoint={endpoint} />
      </div>
      <div>
        {id !== undefined && (
          <DeliveryPanel
            key={id}
            delivery={{ endpoint_id: endpoint.id, id }}
            isChosen={linked !== null}
            headRef={head}
          />
        )}
        <SigningSecret endpoint={endpoint} onRotated={onRotated} />
      </div>
    </div>
  )
}

function NoEndpoints({ add }: { add: React.ReactNode }) {
  return (
    <section className="panel webhooks-message" aria-labelledby="no-endpoints">
      <h2 className="size-20" id="no-endpoints">
        {t`No endpoints yet`}
      </h2>
      <p className="muted">
        {t`Events of your account are sent to your URL as they happen: expiring keys, reached limits, plan changes, sealed days. Each is signed, and retried for 24 hours until it is accepted.`}
      </p>
      {add}
    </section>
  )
}
