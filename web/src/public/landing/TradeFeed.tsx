import { Trans } from '@lingui/react/macro'
import { paths } from '../../paths.ts'

/** The instrument: its tape runs off the right edge of the window, everything else stays in the column. The island fills it. */
export function TradeFeed() {
  return (
    <div className="feed">
      <div className="feed-bar" data-part="feed-bar" />
      <div data-part="panel">
        <div className="bleed">
          <div className="feed-tape">
            <div className="tape is-off" data-part="tape" />
            <p className="feed-legend">
              <span className="buy">
                <Trans>Buys above</Trans>
              </span>
              <span className="sell">
                <Trans>Sells below</Trans>
              </span>
              <span>
                <Trans>Height shows size</Trans>
              </span>
              <span className="only-wide">
                <Trans>Simulated venue</Trans>
              </span>
            </p>
          </div>
        </div>
        <div className="feed-trades" data-part="trades">
          <p className="muted without-script">
            <Trans>
              The live trades need JavaScript. Without it, run the command, or read the data of{' '}
              <a className="link" href={paths.status}>
                the status page
              </a>{' '}
              at <code className="inline">/api/v1/status</code>.
            </Trans>
          </p>
        </div>
        <p className="feed-foot" data-part="foot" hidden>
          <span className="mono">
            <span className="state state-ok" data-part="status" />
          </span>
          <span>
            <Trans>
              response in{' '}
              <span className="mono highlighted">
                <span data-part="ms" /> ms
              </span>
              <span className="only-wide">, measured in this browser</span>
            </Trans>
          </span>
        </p>
      </div>
    </div>
  )
}
