import { t } from '@lingui/core/macro'
import type { Instrument } from '@tapeline/contracts/market-data/http'
import { useSearchParams } from '../../router.ts'
import { searchNow } from '../../search-now.ts'
import { BookFacts, BookPanel } from './book/BookPanel.tsx'
import { MarketCalls } from './call/MarketCalls.tsx'
import { CandlePanel } from './candles/CandlePanel.tsx'
import { InstrumentHead } from './instruments/InstrumentHead.tsx'
import { InstrumentSearch } from './instruments/InstrumentSearch.tsx'
import { type MarketFilter, readMarketFilter, writeMarketFilter } from './market-filter.ts'
import { isoOf } from './moment.ts'
import { TradesPanel } from './trades/TradesPanel.tsx'
import { TimeTravel } from './travel/TimeTravel.tsx'
import { useMarketView } from './use-market-view.ts'

/** `instruments` have trades and are not empty. */
export function Market({ instruments }: { instruments: readonly Instrument[] }) {
  const [search, setSearch] = useSearchParams()
  const filter = readMarketFilter(search)
  const instrument = instruments.find((one) => isChosen(one, filter)) ?? instruments[0]
  const change = (changed: Partial<MarketFilter>) =>
    setSearch(writeMarketFilter({ ...readMarketFilter(searchNow()), ...changed }), { replace: true })
  if (instrument === undefined) return null
  return (
    <MarketOf
      key={instrument.instrument_id}
      instrument={instrument}
      instruments={instruments}
      filter={filter}
      onChange={change}
    />
  )
}

type MarketOfProps = {
  instrument: Instrument
  instruments: readonly Instrument[]
  filter: MarketFilter
  onChange: (changed: Partial<MarketFilter>) => void
}

function MarketOf({ instrument, instruments, filter, onChange }: MarketOfProps) {
  const view = useMarketView(instrument, filter)
  const { moment } = view
  const { symbol } = instrument
  return (
    <div className="market">
      <InstrumentHead instrument={instrument} view={view} />
      <section
        className="panel"
        aria-label={moment.isLive ? t`${symbol}, live` : t`${symbol} at ${isoOf(moment.atMs)}`}
      >
        <TimeTravel instrument={instrument} view={view} onTravel={(at) => onChange({ at })} />
        <div className={instrument.l2_events > 0 ? 'desk with-book' : 'desk'}>
          <InstrumentSearch
            instruments={instruments}
            chosen={instrument}
            onChoose={({ venue, symbol: next }) => onChange({ venue, symbol: next, at: undefined })}
          />
          <CandlePanel view={view} candle={filter.candle} onCandle={(candle) => onChange({ candle })} />
          {instrument.l2_events > 0 && <BookPanel view={view} />}
        </div>
        {view.shownBook && <BookFacts book={view.shownBook} end={view.end} />}
      </section>
      <div className="below">
        <TradesPanel view={view} />
        <MarketCalls instrument={instrument} candle={filter.candle} end={view.end} />
      </div>
    </div>
  )
}

function isChosen(instrument: Instrument, { venue, symbol }: MarketFilter): boolean {
  return instrument.symbol === symbol && (venue === undefined || instrument.venue === venue)
}
