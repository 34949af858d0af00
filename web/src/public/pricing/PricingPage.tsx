import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { buttonClass } from '../../ui/button-class.ts'
import { LoadSliders } from './LoadSliders.tsx'
import { PlanTable } from './PlanTable.tsx'
import { Questions } from './Questions.tsx'
import { pricingWords } from './pricing-words.ts'
import { shippedWords, shownTexts } from './shipped-texts.ts'

/** The default plans; the island loads those of this installation, and they are hidden until then. */
export function PricingPage() {
  const words = { ...pricingWords(), ...shippedWords(shownTexts) }
  return (
    <div className="pricing" data-island="pricing" data-state="loading" data-words={JSON.stringify(words)}>
      <div className="site top">
        <div>
          <h1>
            <Trans>Pick a plan by the load you send</Trans>
          </h1>
          <p className="size-16">
            <Trans>Start free. No credit card required. A 14-day free trial of the paid plans, cancel anytime.</Trans>
          </p>
        </div>
        <PeriodToggle />
      </div>
      <p className="sr-only" role="status" data-part="status" />
      <div className="site failure" data-part="failure" hidden>
        <div className="message">
          <p className="medium" data-part="failed" />
          <div className="row">
            <button type="button" className={buttonClass()} data-part="again">
              <Trans>Try Again</Trans>
            </button>
          </div>
          <span className="request-id" data-part="request" />
        </div>
      </div>
      <div className="plans-body">
        <LoadSliders />
        <div className="site without-script">
          <p className="banner">
            <span>
              <Trans>
                These are the default plans of Tapeline. The operator of this site may offer others; the current ones
                are at <code className="inline">/api/v1/internal/subscription/pricing</code>.
              </Trans>
            </span>
          </p>
        </div>
        <PlanTable />
      </div>
      <Questions />
    </div>
  )
}

/** Not in the page until the flag `pricing_yearly_billing_toggle` is on. */
function PeriodToggle() {
  return (
    <template data-part="toggle">
      <div className="end">
        <div className="segmented" role="radiogroup" aria-label={t`Billing period`}>
          <label>
            <input className="sr-only" type="radio" name="period" value="monthly" defaultChecked />
            <Trans>Monthly</Trans>
          </label>
          <label>
            <input className="sr-only" type="radio" name="period" value="yearly" />
            <Trans>Yearly</Trans>
          </label>
        </div>
        <span className="small muted" data-part="saves" />
      </div>
    </template>
  )
}
