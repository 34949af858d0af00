import type { Trade } from '@tapeline/contracts/market-data/http'
import type { ReactNode } from 'react'

/** What the platform does for every caller; the first two show it with the live trades of this page. */
export function Claims({ trades }: { trades: readonly Trade[] }) {
  const [newest, second, third] = trades
  return (
    <section className="site sect">
      <h2>What you can hold us to</h2>
      <div className="claims">
        <Claim
          title="One order"
          text="Time, instrument, sequence. The same order in every page, gapless per instrument."
        >
          {newest !== undefined && second !== undefined && third !== undefined && (
            <>
              {third.sequence} <Dim>→</Dim> {second.sequence} <Dim>→</Dim> {newest.sequence}
            </>
          )}
        </Claim>
        <Claim title="Exact numbers" text="Prices and sizes are decimal strings. Times carry nine digits.">
          {newest !== undefined && (
            <>
              &quot;{newest.price}&quot; <Dim>at</Dim> {newest.ts_event.slice('2026-11-20T'.length)}
            </>
          )}
        </Claim>
        <Claim
          title="Gaps are facts"
          text="An unsure book emits one gap event and nothing else until it is whole again."
        >
          <Dim>type</Dim> gap <Dim>with</Dim> reason, from_ts, to_ts
        </Claim>
        <Claim title="Limits you can read" text="Every answer says what is left. A refused request costs nothing.">
          <Dim>RateLimit:</Dim> &quot;min&quot;;r=421;t=17
        </Claim>
        <Claim title="Numbers that agree" text="The count on your dashboard is the count the limiter enforced.">
          total <Dim>=</Dim> success <Dim>+</Dim> failed
        </Claim>
        <Claim title="Yours to run" text="One command starts everything on one machine. The same code scales out.">
          <Dim>$</Dim> npm start
        </Claim>
      </div>
    </section>
  )
}

function Claim({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <div>
      <h3>{title}</h3>
      <p>{text}</p>
      <span className="mono">{children}</span>
    </div>
  )
}

function Dim({ children }: { children: string }) {
  return <span className="t3">{children}</span>
}
