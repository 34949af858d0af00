import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { API_ORIGIN } from '@tapeline/contracts/site'
import { paths } from '../../paths.ts'
import { buttonClass } from '../../ui/button-class.ts'
import { CopyCommand } from '../CopyCommand.tsx'
import { CodeText } from './CodeText.tsx'
import { TradeFeed } from './TradeFeed.tsx'

/** One that the simulator always has. The island follows the symbol that is chosen. */
const SYMBOL = 'BTC-USDT'

export function Hero() {
  return (
    <section className="site hero">
      <div>
        <h1>
          <Trans>Every trade and every book change, in order.</Trans>
        </h1>
        <p className="lead size-16">
          <Trans>
            Tapeline serves trades and level-2 order-book events over REST and as a live stream. Each instrument has one
            sequence without gaps. Use ours, or run it yourself.
          </Trans>
        </p>
        <div className="cta">
          <a className={buttonClass({ variant: 'primary', size: 'large' })} href={paths.signup}>
            <Trans>Get an API key</Trans>
          </a>
          <span className="muted small">
            <Trans>
              14-day free trial.
              <br />
              No credit card required.
            </Trans>
          </span>
        </div>
        <div className="try">
          <CopyCommand id="try-command">{`curl ${API_ORIGIN}/api/v1/sample/${SYMBOL}`}</CopyCommand>
          <div data-part="answer">
            <CodeText label={t`First trade of the response`} className="only-wide">
              {SHAPE}
            </CodeText>
          </div>
        </div>
      </div>
      <TradeFeed />
    </section>
  )
}

/** Placeholder until the answer of this call arrives: its structure, with an ellipsis for every value. */
const SHAPE = `{ "data": [ {
    "id": "sim:${SYMBOL}:…",
    "ts_event": "…",
    "ts_recv":  "…",
    "sequence": "…",
    "price": "…", "size": "…",
    "side": "buy", …
  }, … ] }`
