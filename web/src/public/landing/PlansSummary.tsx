import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { paths } from '../../paths.ts'
import { PLANS } from '../pricing/plans.ts'

/** Prices and limits are data of whoever runs the platform: the island asks for them. */
export function PlansSummary() {
  return (
    <section className="site sect" data-island="plans-summary" data-words={JSON.stringify({ custom: t`Custom` })}>
      <h2>
        <Trans>Three plans, one set of limits</Trans>
      </h2>
      <div className="plans">
        {PLANS.map((tier) => (
          <div key={tier} data-plan={tier} className="is-empty">
            <h3 className="t16">
              <span data-part="name">{NAMES[tier]}</span> <span className="tag" data-part="badge" hidden />
            </h3>
            <p className="v">
              <b data-part="price" />{' '}
              <span className="unit t2" data-part="unit" hidden>
                <Trans>per month</Trans>
              </span>
            </p>
            <p className="t2" data-part="limits" hidden>
              <Trans>
                <span className="mono" data-part="perMinute" /> requests a minute
                <br />
                <span className="mono" data-part="perMonth" /> a month
              </Trans>
            </p>
          </div>
        ))}
      </div>
      <p className="t2 compare">
        <a className="link" href={paths.pricing}>
          <Trans>Compare every limit</Trans>
        </a>
      </p>
    </section>
  )
}

const NAMES = { free: 'Free', basic: 'Basic', pro: 'Pro' }
