import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { paths } from '../../paths.ts'
import { buttonClass } from '../../ui/button-class.ts'
import { Claims } from './Claims.tsx'
import { Figures } from './Figures.tsx'
import { Hero } from './Hero.tsx'
import { PlansSummary } from './PlansSummary.tsx'
import { UseCases } from './UseCases.tsx'

export function LandingPage() {
  return (
    <div className="landing" data-island="live-sample" data-words={JSON.stringify(liveWords())}>
      <Hero />
      <Figures />
      <Claims />
      <UseCases />
      <PlansSummary />
      <section className="site sect last">
        <h2 className="size-28">
          <Trans>Your first request takes a minute.</Trans>
        </h2>
        <div className="row wide">
          <a className={buttonClass({ size: 'large' })} href={paths.signup}>
            <Trans>Create an account</Trans>
          </a>
          <span className="muted">
            <Trans>
              Cancel anytime.{' '}
              <a className="link" href={paths.login}>
                Login
              </a>
            </Trans>
          </span>
          <a className="link" href={paths.docs}>
            <Trans>Read the docs</Trans>
          </a>
        </div>
      </section>
    </div>
  )
}

/** Texts of the running tape: see islands/parts/words.ts. */
function liveWords() {
  return {
    symbol: t`Symbol`,
    price: t`Price`,
    size: t`Size`,
    side: t`Side`,
    sequence: t`Sequence`,
    buy: t`buy`,
    sell: t`sell`,
    live: t`Live`,
    paused: t`Paused`,
    caption: t`Newest trades`,
    tape: t`The last trades, newest first. Bars above the line are buys, below are sells, height follows size.`,
    none: t`No simulated instrument is running. The tape starts automatically.`,
    failed: t`The live tape is unavailable. It resumes automatically.`,
    calls: t`This browser: %ms% ms, %count% live call.`.concat(
      ' | ',
      t`This browser: %ms% ms median, %count% live calls.`,
    ),
    more: t`more`,
  }
}
