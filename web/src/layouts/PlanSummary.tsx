import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { pricingQuery } from '../api/pricing.queries.ts'
import { formatCount } from '../format/number.ts'
import { paths } from '../paths.ts'
import { Link } from '../router.ts'
import type { ClientUser } from '../session/present-user.ts'

/** The plan and what it allows, from the documents that the limiter enforces. */
export function PlanSummary({ user }: { user: ClientUser }) {
  const pricing = useQuery(pricingQuery)
  const tier = pricing.data?.[user.subscriptionTier]
  const name = tier?.display.name ?? TIER_NAMES[user.subscriptionTier]
  return (
    <div className="sidebar-foot">
      <div className="row">
        <span className="medium">
          <Trans>{name} plan</Trans>
        </span>
        <Link className="end muted link" to={paths.plan}>
          {t`Details`}
        </Link>
      </div>
      {tier !== undefined && (
        <p className="muted">
          <Trans>
            <span className="mono">{formatCount(tier.rateLimits.requestsPerMinute)}</span> requests a minute,
            <br />
            bursts of <span className="mono">{formatCount(tier.rateLimits.burstLimit)}</span> a second
          </Trans>
        </p>
      )}
    </div>
  )
}

const TIER_NAMES = { free: 'Free', basic: 'Basic', pro: 'Pro' } as const
