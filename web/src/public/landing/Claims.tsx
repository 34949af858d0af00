import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'

/** Features for every caller; the first two are demonstrated with the page's live trades. */
export function Claims() {
  return (
    <section className="site sect">
      <h2>
        <Trans>What you can hold us to</Trans>
      </h2>
      <div className="claims">
        <Claim
          title={<Trans>One order</Trans>}
          text={<Trans>Time, instrument, sequence. The same order in every page, gapless per instrument.</Trans>}
        >
          <span data-part="order" translate="no">
            n <Dim>→</Dim> n + 1 <Dim>→</Dim> n + 2
          </span>
        </Claim>
        <Claim
          title={<Trans>Exact numbers</Trans>}
          text={<Trans>Prices and sizes are decimal strings. Times have nine fractional digits.</Trans>}
        >
          <span data-part="exact" translate="no">
            <Dim>price</Dim> string <Dim>ts_event</Dim> …123456789Z
          </span>
        </Claim>
        <Claim
          title={<Trans>Gaps are explicit</Trans>}
          text={<Trans>A book with missing updates sends one gap event, then nothing until it is complete.</Trans>}
        >
          <span translate="no">
            <Dim>type</Dim> gap <Dim>with</Dim> reason, from_ts, to_ts
          </span>
        </Claim>
        <Claim
          title={<Trans>Limits you can read</Trans>}
          text={<Trans>Every response states the remaining requests. A rejected request consumes nothing.</Trans>}
        >
          <span translate="no">
            <Dim>RateLimit:</Dim> &quot;min&quot;;r=421;t=17
          </span>
        </Claim>
        <Claim
          title={<Trans>Numbers that agree</Trans>}
          text={<Trans>The count on your dashboard is the count the limiter enforced.</Trans>}
        >
          <span translate="no">
            total <Dim>=</Dim> success <Dim>+</Dim> failed
          </span>
        </Claim>
        <Claim
          title={<Trans>Yours to run</Trans>}
          text={<Trans>One command starts everything on one machine. The same code scales out.</Trans>}
        >
          <span translate="no">
            <Dim>$</Dim> npm start
          </span>
        </Claim>
      </div>
    </section>
  )
}

function Claim({ title, text, children }: { title: ReactNode; text: ReactNode; children: ReactNode }) {
  return (
    <div>
      <h3>{title}</h3>
      <p>{text}</p>
      <span className="mono">{children}</span>
    </div>
  )
}

function Dim({ children }: { children: string }) {
  return <span className="faint">{children}</span>
}
