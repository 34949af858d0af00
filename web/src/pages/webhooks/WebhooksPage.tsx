import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Lock } from 'lucide-react'
import { ApiError } from '../../api/api-error.ts'
import { pricingQuery } from '../../api/pricing.queries.ts'
import { paths } from '../../paths.ts'
import { Link } from '../../router.ts'
import { buttonClass } from '../../ui/button-class.ts'
import { ErrorPanel } from '../../ui/ErrorPanel.tsx'
import { Bone, Skeleton } from '../../ui/Skeleton.tsx'
import { Endpoints } from './Endpoints.tsx'
import './webhooks.css'
import { webhooksQuery } from './webhooks.queries.ts'

const TIERS = ['free', 'basic', 'pro'] as const
const BONES = 4

/** Endpoints that receive the account's events, and their deliveries. */
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

function Locked() {
  const plans = useQuery(pricingQuery).data
  const tier = plans && TIERS.find((one) => plans[one].features.webhooks)
  const tierName = tier && plans?.[tier].display.name
  return (
    <section className="panel webhooks-message" aria-labelledby="locked-webhooks">
      <h2 id="locked-webhooks">
        <Lock className="icon" aria-hidden="true" />{' '}
        {tierName === undefined ? t`Webhooks are not part of your plan` : t`Upgrade to ${tierName} to use webhooks`}
      </h2>
      <p className="muted">
        {t`Your server receives signed events about keys, limits, plans and sealed days, so it does not have to poll.`}
      </p>
      <Link className={buttonClass({ variant: 'primary' })} to={paths.plan}>
        {t`Compare plans`}
      </Link>
    </section>
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
