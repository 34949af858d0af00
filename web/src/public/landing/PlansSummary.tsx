import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Tier } from '@tapeline/contracts/actor'
import { tierDocuments } from '@tapeline/contracts/config/shipped-tiers'
import { paths } from '../../paths.ts'
import { pageLanguage } from '../page-language.ts'
import { PLANS } from '../pricing/plans.ts'
import { priceText } from '../pricing/price-of-plan.ts'
import { shippedText, shippedWords } from '../pricing/shipped-texts.ts'

/** The default plans; the island loads those of this installation, and prices are hidden until then. */
export function PlansSummary() {
  const words = { custom: t`Custom`, ...shippedWords(({ display }) => [display.badge]) }
  return (
    <section className="site sect" data-island="plans-summary" data-words={JSON.stringify(words)}>
      <h2>
        <Trans>Three plans, one set of limits</Trans>
      </h2>
      <div className="plans">
        {PLANS.map((tier) => (
          <Plan key={tier} tier={tier} />
        ))}
      </div>
      <p className="muted without-script compare">
        <Trans>
          These are the default plans of Tapeline. Those of this installation are at{' '}
          <code className="inline">/api/v1/internal/subscription/pricing</code>.
        </Trans>
      </p>
      <p className="muted compare">
        <a className="link" href={paths.pricing}>
          <Trans>Compare every limit</Trans>
        </a>
      </p>
    </section>
  )
}

function Plan({ tier }: { tier: Tier }) {
  const { display, billing, rateLimits } = tierDocuments[tier]
  const language = pageLanguage()
  const price = priceText(billing, 'monthly', language)
  const number = new Intl.NumberFormat(language)
  return (
    <div data-plan={tier} className="is-empty">
      <h3 className="size-16">
        <span data-part="name">{display.name}</span>{' '}
        <span className="tag" data-part="badge" hidden={display.badge === null}>
          {display.badge === null ? null : shippedText(display.badge)}
        </span>
      </h3>
      <p className="value">
        <b data-part="price" className={price === undefined ? 'words' : undefined}>
          {price ?? t`Custom`}
        </b>{' '}
        <span className="unit muted" data-part="unit" hidden={price === undefined}>
          <Trans>per month</Trans>
        </span>
      </p>
      <p className="muted">
        <Trans>
          <span className="mono" data-part="perMinute">
            {number.format(rateLimits.requestsPerMinute)}
          </span>{' '}
          requests a minute
          <br />
          <span className="mono" data-part="perMonth">
            {number.format(rateLimits.requestsPerMonth)}
          </span>{' '}
          a month
        </Trans>
      </p>
    </div>
  )
}
