import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import type { Webhook, WebhookWithSecret } from '@tapeline/contracts/audit/webhooks'
import { useQuery } from '@tanstack/react-query'
import { Lock, Plus } from 'lucide-react'
import { useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { pricingQuery } from '../../api/pricing.queries.ts'
import { paths } from '../../paths.ts'
import { Link } from '../../router.ts'
import { Button } from '../../ui/Button.tsx'
import { buttonClass } from '../../ui/button-class.ts'
import { ErrorPanel } from '../../ui/ErrorPanel.tsx'
import { Bone, Skeleton } from '../../ui/Skeleton.tsx'
import { Deliveries } from './Deliveries.tsx'
import { EndpointDialog } from './EndpointDialog.tsx'
import { EndpointRow } from './EndpointRow.tsx'
import { SigningSecretDialog } from './SigningSecretDialog.tsx'
import './webhooks.css'
import { webhooksQuery } from './webhooks.queries.ts'

const TIERS = ['free', 'basic', 'pro'] as const
const BONES = 4

/** Endpoints that receive the account's events, and what was delivered to them. */
export function WebhooksPage() {
  const webhooks = useQuery(webhooksQuery)
  if (webhooks.data !== undefined) {
    const { endpoints, endpoints_max: max, is_included: isIncluded } = webhooks.data
    return isIncluded || endpoints.length > 0 ? <Endpoints endpoints={endpoints} max={max} /> : <Locked />
  }
  if (webhooks.isPending) return <PageSkeleton />
  return (
    <section className="panel">
      <ErrorPanel
        title={t`Your webhooks could not be loaded`}
        requestId={webhooks.error instanceof ApiError ? webhooks.error.requestId : undefined}
        onRetry={() => void webhooks.refetch()}
        isRetrying={webhooks.isFetching}
      >
        {webhooks.error.message}
      </ErrorPanel>
    </section>
  )
}

function Endpoints({ endpoints, max }: { endpoints: readonly Webhook[]; max: number }) {
  const [isCreating, setCreating] = useState(false)
  const [created, setCreated] = useState<WebhookWithSecret>()
  const [chosenId, choose] = useState<string>()
  const chosen = endpoints.find(({ id }) => id === chosenId) ?? endpoints[0]
  const count = endpoints.length
  const add = <AddButton isDisabled={count >= max} onClick={() => setCreating(true)} />
  return (
    <>
      <div className="pagebar">
        <p>
          <Trans>
            <b className="mono">{count}</b> <Plural value={count} one="endpoint" other="endpoints" />
          </Trans>
        </p>
        {count > 0 && <div className="actions">{add}</div>}
      </div>
      {chosen === undefined ? (
        <NoEndpoints add={add} />
      ) : (
        <>
          <section className="panel endpoints" aria-label={t`Endpoints`}>
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
          <Deliveries key={chosen.id} endpoint={chosen} />
        </>
      )}
      {isCreating && (
        <EndpointDialog
          onClose={() => setCreating(false)}
          onCreated={(made) => {
            setCreating(false)
            setCreated(made)
            choose(made.endpoint.id)
          }}
        />
      )}
      {created !== undefined && <SigningSecretDialog created={created} onClose={() => setCreated(undefined)} />}
    </>
  )
}

function NoEndpoints({ add }: { add: React.ReactNode }) {
  return (
    <section className="panel webhooks-message" aria-labelledby="no-endpoints">
      <h2 className="size-20" id="no-endpoints">
        {t`No Endpoints Yet`}
      </h2>
      <p className="muted">
        {t`Events of your account are sent to your address as they happen: keys that expire, limits that are reached, plans that change, days that are sealed. Each is signed and repeated for 24 hours until it is accepted.`}
      </p>
      {add}
    </section>
  )
}

function Locked() {
  const plans = useQuery(pricingQuery).data
  const tier = plans && TIERS.find((one) => plans[one].features.webhooks)
  const tierName = tier && plans?.[tier].display.name
  return (
    <section className="panel webhooks-message" aria-labelledby="locked-webhooks">
      <h2 id="locked-webhooks">
        <Lock className="icon" aria-hidden="true" />{' '}
        {tierName === undefined ? t`Webhooks are not part of your plan` : t`Webhooks come with ${tierName}`}
      </h2>
      <p className="muted">
        {t`Your server receives signed events about keys, limits, plans and sealed days instead of asking for them.`}
      </p>
      <Link className={buttonClass({ variant: 'primary' })} to={paths.plan}>
        {t`Compare plans`}
      </Link>
    </section>
  )
}

function AddButton({ isDisabled, onClick }: { isDisabled: boolean; onClick: () => void }) {
  return (
    <Button
      variant="primary"
      icon={<Plus className="icon" aria-hidden="true" />}
      isDisabled={isDisabled}
      onClick={onClick}
    >
      {t`Add endpoint`}
    </Button>
  )
}

function PageSkeleton() {
  return (
    <Skeleton label={t`Loading the webhooks`}>
      <section className="panel webhooks-message">
        {Array.from({ length: BONES }, (_, n) => (
          <Bone key={n} widthPx={420} />
        ))}
      </section>
    </Skeleton>
  )
}
