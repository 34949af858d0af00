import { plural, t } from '@lingui/core/macro'
import type { Sample } from '@tapeline/contracts/market-data/http'
import { useQueries, useQuery } from '@tanstack/react-query'
import { i18n } from '../language/i18n.ts'
import { formatClock } from '../format/date.ts'
import { formatDecimal } from '../format/decimal.ts'
import { sampleQuery, sampleSymbolsQuery } from '../trades/sample.queries.ts'
import { tradeSlots } from '../trades/trade-slots.ts'
import { ghostSlots, Tape } from '../ui/Tape.tsx'

const LANES_MAX = 8
/** Four lanes ask 24 times a minute: well under the throttle of samples. */
const ASK_EVERY_MS = 10_000
const GHOST_LANES = [1, 2, 3, 4]
const GHOST_SLOTS = 160

/** One lane of tape per instrument, newest at the left, running off the right edge. */
export function TradeWall() {
  const symbols = useQuery(sampleSymbolsQuery)
  const lanes = (symbols.data ?? []).slice(0, LANES_MAX)
  const samples = useQueries({ queries: lanes.map((symbol) => sampleQuery(symbol, ASK_EVERY_MS)) })
  const newest = samples
    .flatMap(({ data }) => data?.sample.data[0]?.ts_event ?? [])
    .toSorted()
    .at(-1)
  return (
    <aside className="wall" aria-label={t`Last public trades`}>
      <ul>
        {lanes.map((symbol, lane) => (
          <Lane key={symbol} symbol={symbol} trades={samples[lane]?.data?.sample.data ?? []} />
        ))}
        {lanes.length === 0 && GHOST_LANES.map((lane) => <GhostLane key={lane} />)}
      </ul>
      <p>
        <span>
          {symbols.isError
            ? t`Public trades cannot be read at the moment. Signing in does not need them.`
            : t`Simulated trades. Buys above the line, sells below.`}
        </span>
        {newest !== undefined && <span className="end mono">{formatClock(newest)} UTC</span>}
      </p>
    </aside>
  )
}

/** What comes here, in grey. */
function GhostLane() {
  return (
    <li aria-hidden="true">
      <div className="lane-head" />
      <div className="lane">
        <Tape isOff label="" slots={ghostSlots(GHOST_SLOTS)} />
      </div>
    </li>
  )
}

function Lane({ symbol, trades }: { symbol: string; trades: Sample['data'] }) {
  const last = trades[0]
  return (
    <li>
      <div className="lane-head">
        <span className="mono">{symbol}</span>
        {last !== undefined && <span className={`mono ${last.side}`}>{formatDecimal(last.price, i18n.locale)}</span>}
        {last !== undefined && <span className="mono t3 sz">{formatDecimal(last.size, i18n.locale)}</span>}
      </div>
      <div className="lane">
        <Tape
          label={plural(trades.length, {
            one: `The last trade of ${symbol}`,
            other: `Last # trades of ${symbol}, newest first`,
          })}
          slots={tradeSlots(trades)}
        />
      </div>
    </li>
  )
}
