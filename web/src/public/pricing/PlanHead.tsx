import { Trans } from '@lingui/react/macro'
import type { Tier } from '@tapeline/contracts/actor'
import type { TierDocument } from '@tapeline/contracts/config/tiers'
import { Check } from 'lucide-react'
import { signupForPlan } from '../../paths.ts'
import { buttonClass } from '../../ui/button-class.ts'
import { pageLanguage } from '../page-language.ts'
import { FEATURES_MAX } from './features-max.ts'
import { priceText } from './price-of-plan.ts'
import { pricingWords } from './pricing-words.ts'
import { shippedText } from './shipped-texts.ts'

export function PlanHead({ tier, plan: { display, billing } }: { tier: Tier; plan: TierDocument }) {
  const words = pricingWords()
  const price = priceText(billing, 'monthly', pageLanguage())
  const more = display.features.length - FEATURES_MAX
  return (
    <th scope="col" data-tier={tier} data-head={tier}>
      <h2>
        <span data-part="name">{display.name}</span>
        <span className="tag" data-part="badge" hidden={display.badge === null}>
          {display.badge === null ? null : shippedText(display.badge)}
        </span>
      </h2>
      <p className="desc" data-part="desc">
        {shippedText(display.description)}
      </p>
      <p className="price">
        <b data-part="price" className={price === undefined ? 'words' : undefined}>
          {price ?? words.custom}
        </b>{' '}
        <span className="unit muted" data-part="unit">
          {price === undefined ? '' : words.perMonth}
        </span>
        <small>
          <span data-part="note">
            {billing.trialPeriod > 0 ? words.trial.replace('%count%', String(billing.trialPeriod)) : words.noTrial}
          </span>{' '}
          <span className="faint" data-part="discount" />
        </small>
      </p>
      <a className={buttonClass({ size: 'large' })} href={signupForPlan(tier)} data-part="start">
        <Trans>Start free</Trans>
      </a>
      <p className="verdict needs-script">
        <span className="state state-off" data-part="verdict" />
      </p>
      <ul className="feat" data-part="features">
        {display.features.slice(0, FEATURES_MAX).map((feature) => (
          <li key={feature}>
            <Check className="icon" aria-hidden="true" />
            <span>{shippedText(feature)}</span>
          </li>
        ))}
        {more > 0 && <li className="more">{words.more.replace('%count%', String(more))}</li>}
      </ul>
    </th>
  )
}
