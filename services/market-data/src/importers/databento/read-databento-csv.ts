import type { InstrumentSpec } from '../../instruments/instrument.ts'
import { parseTime } from '../../nanoseconds.ts'
import { FLAGS, type Side } from '../../store/record.ts'
import { fixedDecimalOf, positiveOf, timeOf } from '../csv.ts'
import type { FileRun, Kind, ReadFile } from '../kind.ts'
import { quoteRecord } from '../quote-record.ts'
import { readByLine } from '../read-by-line.ts'

const COMMON =
  'ts_recv,ts_event,rtype,publisher_id,instrument_id,action,side,depth,price,size,flags,ts_in_delta,sequence'
const BOOK = 'bid_px_00,ask_px_00,bid_sz_00,ask_sz_00,bid_ct_00,ask_ct_00'
const HEADERS = { trades: `${COMMON},symbol`, mbp1: `${COMMON},${BOOK},symbol` }
/** Price of a side without orders, in units of 1e-9. */
const NO_PRICE = '9223372036854775807'

export const databentoKinds: readonly Kind[] = [
  { ...kindOf('trades'), name: 'databento-trades', description: 'Databento CSV of schema trades' },
  { ...kindOf('mbp1'), name: 'databento-mbp-1', description: 'Databento CSV of schema mbp-1: trades and quotes' },
]

function kindOf(type: keyof typeof HEADERS): Pick<Kind, 'isLike' | 'createReader'> {
  return {
    isLike: ({ lines }) => lines[0] === HEADERS[type],
    createReader: () => readRows(HEADERS[type].split(',').length),
  }
}

function readRows(columns: number): ReadFile {
  return (source, run) => {
    const instruments = new Map<string, InstrumentSpec>()
    return readByLine(source, run, (line, number) => {
      if (number === 1) return
      const fields = line.split(',')
      if (fields.length !== columns) throw new Error(`has ${fields.length} columns instead of ${columns}`)
      const symbol = fields.at(-1) ?? ''
      const instrument = instruments.get(symbol) ?? instrumentOf(symbol)
      instruments.set(symbol, instrument)
      takeRow(run, { instrument, fields, number })
    })
  }
}

type Row = { instrument: InstrumentSpec; fields: string[]; number: number }
const AT = { tsRecv: 0, tsEvent: 1, publisher: 3, action: 5, side: 6, price: 8, size: 9, sequence: 12, book: 13 }
const BOOK_COLUMNS = 6

/** A trade, and with mbp-1 the book after the event. */
function takeRow(run: FileRun, { instrument, fields, number }: Row): void {
  const at = (index: number): string => fields[index] ?? ''
  const times = { tsEvent: nanosecondsOf('ts_event', at(AT.tsEvent)), tsRecv: nanosecondsOf('ts_recv', at(AT.tsRecv)) }
  // A sequence number is the venue's: several venues, and several records of one message, share it.
  const sourceId = `${at(AT.publisher)}:${at(AT.sequence)}:${number}`
  if (at(AT.action) === 'T') {
    run.trade(instrument, {
      ...times,
      sourceId,
      hasTradeId: false,
      price: positiveOf('price', priceOf(at(AT.price))),
      size: positiveOf('size', at(AT.size)),
      side: sideOf(at(AT.side)),
      sideSource: at(AT.side) === 'N' ? 'none' : 'venue',
      flags: FLAGS.replayed,
      conditions: [`publisher:${at(AT.publisher)}`],
    })
  }
  const [bidPrice = '', askPrice = '', bidSize = '', askSize = ''] = fields.slice(AT.book, AT.book + BOOK_COLUMNS)
  if (fields.length <= AT.book + 1) return
  const [bid, ask] = [levelOf(bidPrice, bidSize), levelOf(askPrice, askSize)]
  run.l2Event(instrument, quoteRecord({ ...times, sourceId, bid, ask }))
}

function levelOf(price: string, size: string): [string, string] | undefined {
  const text = priceOf(price)
  return text === '' ? undefined : [positiveOf('price', text), positiveOf('size', size)]
}

/** Prices are decimals with a point, or whole units of 1e-9; empty or the greatest number where there is none. */
function priceOf(text: string): string {
  if (text === '' || text === NO_PRICE) return ''
  return text.includes('.') ? text : fixedDecimalOf(text, 9)
}

/** RFC 3339 or nanoseconds, as the file was requested. */
function nanosecondsOf(name: string, text: string): string {
  if (/^\d+$/.test(text)) return timeOf(name, text, ['ns'])
  const nanoseconds = parseTime(text)
  if (nanoseconds === undefined) throw new Error(`${name} is not a time: ${JSON.stringify(text)}`)
  return String(nanoseconds)
}

/** Of the aggressor: an ask sells. */
function sideOf(text: string): Side {
  if (text === 'A') return 'sell'
  if (text === 'B') return 'buy'
  if (text === 'N') return 'unknown'
  throw new Error(`side is not A, B or N: ${text}`)
}

function instrumentOf(symbol: string): InstrumentSpec {
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
