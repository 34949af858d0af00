import { plural, t } from '@lingui/core/macro'
import type { Trade } from '@tapeline/contracts/market-data/http'
import { formatClock } from '../../../format/date.ts'
import { formatDuration } from '../../../format/duration.ts'
import { splitNanoseconds } from '../../../format/nanoseconds.ts'
import { tradeSlots } from '../../../trades/trade-slots.ts'
import { type Column, Table } from '../../../ui/rows/Table.tsx'
import { Tape } from '../../../ui/Tape.tsx'
import { LoadFailure } from '../LoadFailure.tsx'
import { fractionDigits, showDecimal } from '../prices.ts'
import type { MarketView } from '../use-market-view.ts'

const ROWS_SHOWN = 12
const TAPE_HEIGHT_PX = 44

/** The newest trades before the moment, as a tape and as a table. */
export function TradesPanel({ view }: { view: MarketView }) {
  const { trades, shownTrades, moment, isStreaming, refreshMs } = view
  const every = formatDuration(refreshMs)
  const clock = formatClock(moment.atMs)
  return (
    <section className="panel" aria-labelledby="trades" aria-busy={trades.isPlaceholderData}>
      <div className="panel-head">
        <h2 id="trades">{moment.isLive ? t`Latest trades` : t`Trades before ${clock}`}</h2>
        <span className="row wide end small">
          <span className="buy">{t`buy`}</span>
          <span className="sell">{t`sell`}</span>
        </span>
      </div>
      <LoadFailure query={trades} title={t`The trades could not be loaded`} />
      {shownTrades && <TradeList trades={shownTrades} />}
      {moment.isLive && (
        <p className="panel-foot">
          {isStreaming
            ? t`Trades arrive over the live stream. Candles are refreshed every ${every}; each refresh counts as requests of your plan.`
            : t`Refreshed every ${every}; each refresh counts as requests of your plan.`}
        </p>
      )}
    </section>
  )
}

function TradeList({ trades }: { trades: readonly Trade[] }) {
  const [newest] = trades
  const oldest = trades.at(-1)
  if (newest === undefined || oldest === undefined)
    return <p className="message muted">{t`No trades in this range.`}</p>
  const spanMs = Date.parse(newest.ts_event) - Date.parse(oldest.ts_event)
  const count = plural(trades.length, { one: '# trade', other: '# trades' })
  return (
    <>
      <div className="trades-tape">
        <Tape label={t`${count}, newest at the left`} slots={tradeSlots(trades)} heightPx={TAPE_HEIGHT_PX} />
        <p className="tape-scale">
          <span>{formatClock(newest.ts_event)}</span>
          <span className="muted">{count}</span>
          <span>{t`${formatDuration(spanMs)} earlier`}</span>
        </p>
      </div>
      <div className="scroll-x" tabIndex={0} role="region" aria-label={t`Trades, table`}>
        <Table
          className="trades-table"
          caption={t`Trades, newest first`}
          rows={trades.slice(0, ROWS_SHOWN)}
          rowKey={({ id }) => id}
          columns={columns(trades)}
        />
      </div>
    </>
  )
}

function columns(trades: readonly Trade[]): Column<Trade>[] {
  const priceDigits = fractionDigits(trades.map(({ price }) => price))
  const sizeDigits = fractionDigits(trades.map(({ size }) => size))
  return [
    {
      key: 'time',
      head: t`Time, UTC`,
      className: 'nowrap',
      cell: ({ ts_event }) => {
        const { clock, nanoseconds } = splitNanoseconds(ts_event)
        return (
          <time className="mono" dateTime={ts_event}>
            {clock}
            <span className="nanoseconds">{nanoseconds}</span>
          </time>
        )
      },
    },
    { key: 'side', head: t`Taker`, cell: ({ side }) => <Side side={side} /> },
    { key: 'price', head: t`Price`, isNumber: true, cell: ({ price }) => showDecimal(price, priceDigits) },
    { key: 'size', head: t`Size`, isNumber: true, cell: ({ size }) => showDecimal(size, sizeDigits) },
    {
      key: 'sequence',
      head: t`Sequence`,
      isNumber: true,
      className: 'faint sequence',
      cell: ({ sequence }) => showDecimal(sequence, 0),
    },
  ]
}

function Side({ side }: Pick<Trade, 'side'>) {
  if (side === 'unknown') return <span className="faint">{t`unknown`}</span>
  return <span className={side}>{side === 'buy' ? t`buy` : t`sell`}</span>
}
