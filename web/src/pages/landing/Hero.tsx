import { paths } from '../../paths.ts'
import { publicApiUrl } from '../../platform.ts'
import { Link } from '../../router.ts'
import { sampleAddress } from '../../trades/sample.queries.ts'
import { buttonClass } from '../../ui/button-class.ts'
import { Command } from '../../ui/Command.tsx'
import { SampleAnswer } from './SampleAnswer.tsx'
import { TradeFeed } from './TradeFeed.tsx'
import type { LiveSample } from './use-live-sample.ts'

export function Hero({ live }: { live: LiveSample }) {
  return (
    <section className="site hero">
      <div>
        <h1>Every trade and every book change, in order.</h1>
        <p className="lead t16">
          Tapeline serves trades and level-2 order-book events as JSON over REST. Each instrument has one sequence
          without gaps. Use ours, or run it yourself.
        </p>
        <div className="cta">
          <Link className={buttonClass({ variant: 'primary', size: 'large' })} to={paths.signup}>
            Get an API key
          </Link>
          <span className="t2 t13">
            14-day free trial.
            <br />
            No credit card required.
          </span>
        </div>
        <div className="try">
          <Command>{`curl ${shellAddress(publicApiUrl + sampleAddress(live.symbol))}`}</Command>
          <SampleAnswer key={live.symbol} trades={live.trades} />
        </div>
      </div>
      <TradeFeed live={live} />
    </section>
  )
}

/** curl takes http for granted; without it the line fits. */
function shellAddress(address: string): string {
  return address.replace(/^http:\/\//, '')
}
