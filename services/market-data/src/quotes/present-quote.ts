import type { Quote } from '@tapeline/contracts/market-data/quotes'
import type { RegisteredInstrument } from '../instruments/instrument.ts'
import type { FormatTime } from '../records/render-record.ts'
import type { BookQuote } from './quote-builder.ts'

/** A quote as the contract's Quote. */
export function presentQuote(instrument: RegisteredInstrument, quote: BookQuote, format: FormatTime): Quote {
  const { instrumentId, venue, symbol, venueSymbol } = instrument
  const { tsEvent, tsRecv, sequence, bookEpoch, isKnown, bid, ask } = quote
  return {
    id: `${venue}:${symbol}:quote:${sequence}`,
    venue,
    symbol,
    venue_symbol: venueSymbol,
    instrument_id: instrumentId,
    ts_event: format(tsEvent),
    ts_recv: format(tsRecv),
    sequence: String(sequence),
    book_epoch: bookEpoch,
    state: isKnown ? 'known' : 'unknown',
    bid_price: bid?.[0] ?? null,
    bid_size: bid?.[1] ?? null,
    ask_price: ask?.[0] ?? null,
    ask_size: ask?.[1] ?? null,
  }
}
