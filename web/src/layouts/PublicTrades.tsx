import { plural, t } from '@lingui/core/macro'
import { i18n } from '../language/i18n.ts'
import { formatClock } from '../format/date.ts'
import { formatDecimal } from '../format/decimal.ts'
import { tradeSlots } from '../trades/trade-slots.ts'
import { type Lane, usePublicTrades } from '../trades/use-public-trades.ts'
import { placeholderSlots, Tape } from '../ui/Tape.tsx'
import { EmptyTradeLanes, TradeLanes, TradeLanesNote } from './TradeLanes.tsx'

const PLACEHOLDER_SLOTS = 160

/** One lane of tape per instrument, newest at the left, running off the right edge. */
export function PublicTrades() {
  const { lanes, hasFailed } = usePublicTrades()
  const newest = lanes
    .flatMap(({ trades }) => trades[0]?.ts_event ?? [])
    .toSorted()
    .at(-1)
  const note = hasFailed ? (
    <span>{t`Public trades cannot be read at the moment. Signing in does not need them.`}</span>
  ) : (
    <TradeLanesNote />
  )
  const clock = newest !== undefined && <span className="end mono">{formatClock(newest)} UTC</span>
  if (lanes.length === 0)
    return <EmptyTradeLanes note={note} lane={<Tape isOff label="" slots={placeholderSlots(PLACEHOLDER_SLOTS)} />} />
  return (
    <TradeLanes
      note={
        <>
          {note}
          {clock}
        </>
      }
    >
      {lanes.map((lane) => (
        <TradeLane key={lane.symbol} {...lane} />
      ))}
    </TradeLanes>
  )
}

function TradeLane({ symbol, trades }: Lane) {
  const last = trades[0]
  return (
    <li>
      <div className="lane-head">
        <span className="mono">{symbol}</span>
        {last !== undefined && <span className={`mono ${last.side}`}>{formatDecimal(last.price, i18n.locale)}</span>}
        {last !== undefined && <span className="mono faint trade-size">{formatDecimal(last.size, i18n.locale)}</span>}
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
