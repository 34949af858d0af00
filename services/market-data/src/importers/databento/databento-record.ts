import type { InstrumentSpec } from '../../instruments/instrument.ts'
import { FLAGS, type Level, type Side } from '../../store/record.ts'
import { positiveOf } from '../csv.ts'
import type { FileRun } from '../kind.ts'
import { bookRecord } from '../quote-record.ts'

/** One record of the schemas trades, mbp-1 and mbp-10. Prices are decimals, empty where there is none. */
export type DatabentoRecord = {
  tsEvent: string
  /** Empty where the venue's feed had none. */
  tsRecv: string
  publisher: string
  sequence: string
  /** Position in the file: a sequence number is the venue's, and several records of one message share it. */
  number: number
  action: string
  side: string
  /** Databento's bit field. */
  flags: number
  price: string
  size: string
  /** The book after the event, best first; undefined for the schema trades. */
  book: { bids: PriceAndSize[]; asks: PriceAndSize[]; depth: number } | undefined
}
type PriceAndSize = readonly [price: string, size: string]

/** `F_BAD_TS_RECV`: the receive time is inaccurate. */
const BAD_TS_RECV = 8
/** Ids of publishers of futures and options, `publishers.rs` of databento/dbn: CME, ICE, Eurex, EEX and OPRA. */
const NOT_STOCKS = [
  { from: 1, to: 1 },
  { from: 20, to: 37 },
  { from: 57, to: 58 },
  { from: 61, to: 61 },
  { from: 84, to: 85 },
  { from: 97, to: 104 },
]

/** A trade, and with mbp-1 and mbp-10 the book after the event. */
export function takeRecord(run: FileRun, instrument: InstrumentSpec, record: DatabentoRecord): void {
  const { tsEvent, publisher, action, side, book } = record
  const times = { tsEvent, tsRecv: record.tsRecv || tsEvent }
  if (NOT_STOCKS.some(({ from, to }) => from <= Number(publisher) && Number(publisher) <= to)) {
    throw new Error(`publisher ${publisher} has futures or options: only US stocks are imported`)
  }
  const isRecvBad = record.tsRecv === '' || (record.flags & BAD_TS_RECV) !== 0
  const flags = isRecvBad ? FLAGS.bad_ts_recv : 0
  const sourceId = `${publisher}:${record.sequence}:${record.number}`
  const levels = book && { bids: book.bids.flatMap(levelOf), asks: book.asks.flatMap(levelOf), depthLimit: book.depth }
  if (action === 'T') {
    run.trade(instrument, {
      ...times,
      sourceId,
      hasTradeId: false,
      price: positiveOf('price', record.price),
      size: positiveOf('size', record.size),
      side: sideOf(side),
      sideSource: side === 'N' ? 'none' : 'venue',
      flags: FLAGS.replayed | flags,
      conditions: [`publisher:${publisher}`],
    })
  }
  if (levels !== undefined) run.l2Event(instrument, bookRecord({ ...times, ...levels, sourceId }, flags))
}

function levelOf([price, size]: PriceAndSize): Level[] {
  return price === '' ? [] : [[positiveOf('price', price), positiveOf('size', size)]]
}

/** Side of the aggressor: an ask sells. */
function sideOf(text: string): Side {
  if (text === 'A') return 'sell'
  if (text === 'B') return 'buy'
  if (text === 'N') return 'unknown'
  throw new Error(`side is not A, B or N: ${text}`)
}

export function stockOf(symbol: string): InstrumentSpec {
  if (!/^[A-Z0-9.]{1,20}$/.test(symbol)) throw new Error(`the symbol ${JSON.stringify(symbol)} is not a stock's`)
  return {
    venue: 'us-equity',
    symbol: `${symbol}-USD`,
    venueSymbol: symbol,
    base: symbol,
    quote: 'USD',
    sizeUnit: 'base',
    tsEventPrecision: 'ns',
    kind: 'spot',
  }
}
