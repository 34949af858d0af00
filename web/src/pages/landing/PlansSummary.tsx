import { useQuery } from '@tanstack/react-query'
import type { Tier } from '@tapeline/contracts/actor'
import { pricingQuery } from '../../api/pricing.queries.ts'
import { formatCount } from '../../format/number.ts'
import { paths } from '../../paths.ts'
import { Link } from '../../router.ts'
import { Bone, Skeleton } from '../../ui/Skeleton.tsx'
import { Tag } from '../../ui/StateBadge.tsx'
import { PlanPrice } from '../pricing/PlanPrice.tsx'
import { PLANS } from '../pricing/plans.ts'

export function PlansSummary() {
  const pricing = useQuery(pricingQuery)
  if (pricing.isError) return null
  return (
    <section className="site sect">
      <h2>Three plans, one set of limits</h2>
      <div className="plans">
        {PLANS.map((tier) => (
          <Plan key={tier} tier={tier} />
        ))}
      </div>
      <p className="t2 compare">
        <Link className="link" to={paths.pricing}>
          Compare every limit
        </Link>
      </p>
    </section>
  )
}

function Plan({ tier }: { tier: Tier }) {
  const { data } = useQuery(pricingQuery)
  const plan = data?.[tier]
  if (plan === undefined) {
    return (
      <div>
        <Skeleton label="Loading plans">
          <Bone widthPx={64} />
          <Bone widthPx={112} heightPx={34} />
        </Skeleton>
      </div>
    )
  }
  return (
    <div>
      <h3 className="t16">
        {plan.display.name} {plan.display.badge !== null && <Tag>{plan.display.badge}</Tag>}
      </h3>
      <p className="v">
        <PlanPrice billing={plan.billing} period="monthly" />
      </p>
      <p className="t2">
        <span className="mono">{formatCount(plan.rateLimits.requestsPerMinute)}</span> requests a minute
        <br />
        <span className="mono">{formatCount(plan.rateLimits.requestsPerMonth)}</span> a month
      </p>
    </div>
  )
}
