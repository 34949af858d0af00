import type { Trade } from '@tapeline/contracts/market-data/http'
import { splitNanoseconds } from '../../format/nanoseconds.ts'
import { formatMilliseconds } from '../../format/duration.ts'
import { formatDecimal } from '../../format/decimal.ts'
import { splitSymbol } from '../../trades/sample.queries.ts'
import { tradeSlots } from '../../trades/trade-slots.ts'
import { ErrorPanel } from '../../ui/ErrorPanel.tsx'
import { StateBadge } from '../../ui/StateBadge.tsx'
import { type Column, Table } from '../../ui/Table.tsx'
import { TabPanel, Tabs } from '../../ui/Tabs.tsx'
import { ghostSlots, Tape } from '../../ui/Tape.tsx'
import type { LiveSample } from './use-live-sample.ts'

const ROWS_MAX = 8
const PANEL_ID = 'feed-panel'

/** The instrument: its tape runs off the right edge of the window, everything else stays in the column. */
export function TradeFeed({ live }: { live: LiveSample }) {
  const { symbol, symbols } = live
  if (symbol === undefined) return <FeedWithoutSymbols live={live} />
  return (
    <div className="feed">
      <div className="feed-bar">
        <Tabs
          label="Symbol"
          panelId={PANEL_ID}
          tabs={(symbols ?? []).map((id) => ({ id, label: id }))}
          selected={symbol}
          onSelect={live.choose}
        />
        <span className="end only-wide">
          {live.error !== undefined && <StateBadge tone="off">Paused</StateBadge>}
          {live.error === undefined && live.status !== undefined && <StateBadge tone="live">Live</StateBadge>}
        </span>
      </div>
      <TabPanel id={PANEL_ID} selected={symbol}>
        <FeedTape live={live} symbol={symbol} />
        <Table
          caption={`Newest trades of ${symbol}`}
          columns={columnsOf(symbol)}
          rows={live.trades.slice(0, ROWS_MAX)}
          rowKey={(trade) => trade.id}
        />
        <FeedFoot live={live} />
      </TabPanel>
    </div>
  )
}

function FeedTape({ live, symbol }: { live: LiveSample; symbol: string }) {
  return (
    <div className="bleed">
      <div className="feed-tape">
        <Tape
          key={symbol}
          label={`Last ${live.trades.length} trades of ${symbol}, newest first. Bars above the line are buys, below are sells, height follows size.`}
          slots={tradeSlots(live.trades, live.newestBefore)}
        />
        <p className="feed-legend">
          <span className="buy">Buys above</span>
          <span className="sell">Sells below</span>
          <span>Height follows size</span>
          <span className="only-wide">Simulated venue</span>
        </p>
      </div>
    </div>
  )
}

function FeedFoot({ live }: { live: LiveSample }) {
  return (
    <p className="feed-foot">
      {live.error !== undefined && <StateBadge tone="bad">{live.error.message}</StateBadge>}
      {live.error === undefined && live.status !== undefined && live.durationMs !== undefined && (
        <>
          <span className="mono">
            <StateBadge tone="ok">{live.status}</StateBadge>
          </span>
          <span>
            answered in <span className="mono lit">{formatMilliseconds(live.durationMs)} ms</span>
            <span className="only-wide">, measured in this browser</span>
          </span>
        </>
      )}
    </p>
  )
}

function FeedWithoutSymbols({ live }: { live: LiveSample }) {
  return (
    <div className="feed">
      <div className="feed-bar" />
      <div className="bleed">
        <div className="feed-tape">
          <Tape isOff label="No trades yet" slots={ghostSlots(220)} />
        </div>
      </div>
      {live.error === undefined && live.symbols !== undefined && (
        <p className="feed-foot">No instrument is simulated at the moment. This tape starts by itself.</p>
      )}
      {live.error !== undefined && (
        <ErrorPanel title="The live tape cannot be read" requestId={live.error.requestId} onRetry={live.retry}>
          {live.error.message}
        </ErrorPanel>
      )}
    </div>
  )
}

function columnsOf(symbol: string): Column<Trade>[] {
  const { base, quote } = splitSymbol(symbol)
  return [
    { key: 'time', head: 'Time, UTC', className: 'num time', cell: (trade) => <Time at={trade.ts_event} /> },
    { key: 'price', head: `Price, ${quote}`, isNumber: true, cell: (trade) => formatDecimal(trade.price) },
    { key: 'size', head: `Size, ${base}`, isNumber: true, cell: (trade) => formatDecimal(trade.size) },
    {
      key: 'side',
      head: 'Side',
      className: 't13',
      cell: (trade) => (
        <span className={trade.side}>
          <span className="word">{trade.side}</span>
        </span>
      ),
    },
    { key: 'sequence', head: 'Sequence', isNumber: true, className: 't3 only-wide', cell: (trade) => trade.sequence },
  ]
}

function Time({ at }: { at: string }) {
  const { clock, rest } = splitNanoseconds(at)
  return (
    <>
      {clock}
      <span className="ns">{rest}</span>
    </>
  )
}
