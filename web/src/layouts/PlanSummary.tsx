import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { planQuery } from '../api/plan.queries.ts'
import { formatCount } from '../format/number.ts'
import { paths } from '../paths.ts'
import { Link } from '../router.ts'
import type { ClientUser } from '../session/present-user.ts'

/** The plan and what it allows: the limits that the limiter enforces for this account. */
export function PlanSummary({ user }: { user: ClientUser }) {
  const { data } = useQuery(planQuery)
  const plan = data?.tier === user.subscriptionTier ? data : undefined
  const name = plan?.name ?? TIER_NAMES[user.subscriptionTier]
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
      {plan !== undefined && (
        <p className="muted">
          <Trans>
            <span className="mono">{formatCount(plan.rate_limits.requestsPerMinute)}</span> requests a minute,
            <br />
            bursts of <span className="mono">{formatCount(plan.rate_limits.burstLimit)}</span> a second
          </Trans>
        </p>
      )}
    </div>
  )
}

const TIER_NAMES = { free: 'Free', basic: 'Basic', pro: 'Pro' } as const
