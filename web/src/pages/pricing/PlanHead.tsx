import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import type { Tier } from '@tapeline/contracts/actor'
import type { Pricing } from '@tapeline/contracts/config/http'
import type { TierDocument } from '@tapeline/contracts/config/tiers'
import { Check } from 'lucide-react'
import { paths } from '../../paths.ts'
import { Link } from '../../router.ts'
import { buttonClass } from '../../ui/button-class.ts'
import { StateBadge, Tag } from '../../ui/StateBadge.tsx'
import { type Load, verdictOn } from './fit-plan.ts'
import { PlanPrice } from './PlanPrice.tsx'
import { type Billing, type BillingPeriod, discountPercent, priceOfPlan } from './price-of-plan.ts'

const FEATURES_MAX = 5

type PlanHeadProps = { pricing: Pricing; tier: Tier; period: BillingPeriod; load: Load; isFitting: boolean }

export function PlanHead({ pricing, tier, period, load, isFitting }: PlanHeadProps) {
  const plan = pricing[tier]
  const verdict = verdictOn(pricing, tier, load)
  return (
    <th scope="col" className={isFitting ? 'fits' : undefined}>
      <h2>
        {plan.display.name}
        {plan.display.badge !== null && <Tag>{plan.display.badge}</Tag>}
      </h2>
      <p className="desc">{plan.display.description}</p>
      <p className="price">
        <PlanPrice billing={plan.billing} period={period} />
        <PriceNote billing={plan.billing} period={period} />
      </p>
      <Link className={buttonClass({ variant: isFitting ? 'primary' : 'plain', size: 'large' })} to={paths.signup}>
        {t`Start free`}
      </Link>
      <p className="verdict">
        <StateBadge tone={verdict.isEnough ? 'ok' : 'off'}>{verdict.text}</StateBadge>
      </p>
      <FeatureList plan={plan} />
    </th>
  )
}

function PriceNote({ billing, period }: { billing: Billing; period: BillingPeriod }) {
  const { note } = priceOfPlan(billing, period)
  if (note !== undefined) {
    return (
      <small>
        {note}{' '}
        <span className="t3">
          <Trans>({discountPercent(billing)}% discount)</Trans>
        </span>
      </small>
    )
  }
  return <small>{billing.trialPeriod > 0 ? t`${billing.trialPeriod}-day free trial` : t`no trial needed`}</small>
}

function FeatureList({ plan }: { plan: TierDocument }) {
  const { features } = plan.display
  const more = features.length - FEATURES_MAX
  return (
    <ul className="feat">
      {features.slice(0, FEATURES_MAX).map((feature) => (
        <li key={feature}>
          <Check className="i" aria-hidden="true" />
          {feature}
        </li>
      ))}
      {more > 0 && (
        <li className="more">
          <Trans>+{more} more features</Trans>
        </li>
      )}
    </ul>
  )
}
