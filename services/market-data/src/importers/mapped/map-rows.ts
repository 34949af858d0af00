import type { InstrumentSpec } from '../../instruments/instrument.ts'
import { parseTime } from '../../nanoseconds.ts'
import { FLAGS, type Side } from '../../store/record.ts'
import { decimalOf, positiveOf, sizeOf, timeOf } from '../csv.ts'
import type { FileRun } from '../kind.ts'
import { quoteRecord } from '../quote-record.ts'
import { mappedInstrument } from './mapped-instrument.ts'
import type { Mapping, QuoteMapping, TradeMapping } from './mapping.ts'

/** The text of a column of the current row; empty where the row has no value. */
export type Row = (column: string) => string
export type HandleRow = (row: Row, number: number) => void

/** Converts rows into records according to the mapping. */
export function mapRows(mapping: Mapping, run: FileRun): HandleRow {
  const instrumentOf = createInstruments(mapping)
  return (row, number) => {
    const instrument = instrumentOf(row)
    if (mapping.records === 'trades') run.trade(instrument, tradeOf(mapping, row, number))
    else run.l2Event(instrument, quoteOf(mapping, row, number))
  }
}

/** The columns that the mapping names, each of which a file must have. */
export function columnsOf(mapping: Mapping): string[] {
  const { symbol, ts_event, ts_recv, id } = mapping
  const own =
    mapping.records === 'trades'
      ? [mapping.price, mapping.size, mapping.side?.column]
      : [mapping.bid_price, mapping.bid_size, mapping.ask_price, mapping.ask_size]
  const all = [typeof symbol === 'string' ? undefined : symbol.column, ts_event.column, ts_recv?.column, id, ...own]
  return [...new Set(all.filter((column) => column !== undefined))]
}

function createInstruments(mapping: Mapping): (row: Row) => InstrumentSpec {
  const { symbol } = mapping
  if (typeof symbol === 'string') {
    const spec = mappedInstrument(mapping, symbol, symbol)
    return () => spec
  }
  const specs = new Map(
    Object.entries(symbol.names).map(([venueSymbol, name]) => [
      venueSymbol,
      mappedInstrument(mapping, name, venueSymbol),
    ]),
  )
  return (row) => {
    const spec = specs.get(row(symbol.column))
    if (spec === undefined) throw new Error(`the mapping names no symbol for ${row(symbol.column)}`)
    return spec
  }
}

function tradeOf(mapping: TradeMapping, row: Row, number: number) {
  const { side } = mapping
  return {
    ...startOf(mapping, row, number),
    hasTradeId: mapping.id !== undefined,
    price: positiveOf(mapping.price, row(mapping.price)),
    size: positiveOf(mapping.size, row(mapping.size)),
    side: side === undefined ? ('unknown' as const) : sideOf(side, row(side.column)),
    sideSource: sideSourceOf(side),
    flags: FLAGS.replayed | clockFlag(mapping),
    conditions: [],
  }
}

function quoteOf(mapping: QuoteMapping, row: Row, number: number) {
  const level = (price: string, size: string): [string, string] | undefined =>
    row(price) === '' ? undefined : [decimalOf(price, row(price)), sizeOf(size, row(size))]
  const quote = {
    ...startOf(mapping, row, number),
    bid: level(mapping.bid_price, mapping.bid_size),
    ask: level(mapping.ask_price, mapping.ask_size),
  }
  return quoteRecord(quote, clockFlag(mapping))
}

function startOf({ ts_event, ts_recv, id }: Mapping, row: Row, number: number) {
  const tsEvent = nanosecondsOf(ts_event, row)
  const sourceId = id === undefined ? `row:${number}` : row(id)
  if (!/^\S{1,100}$/.test(sourceId)) throw new Error(`${id} is empty, longer than 100 characters or contains a blank`)
  return { sourceId, tsEvent, tsRecv: ts_recv === undefined ? tsEvent : nanosecondsOf(ts_recv, row) }
}

function clockFlag({ ts_recv }: Mapping): number {
  return ts_recv === undefined ? FLAGS.bad_ts_recv : 0
}

function nanosecondsOf({ column, unit }: Mapping['ts_event'], row: Row): string {
  const text = row(column)
  if (unit !== 'rfc3339') return timeOf(column, text, [unit])
  const nanoseconds = /^\d+$/.test(text) ? undefined : parseTime(text)
  if (nanoseconds === undefined) throw new Error(`${column} is not an RFC 3339 time: ${JSON.stringify(text)}`)
  return String(nanoseconds)
}

type SideMapping = NonNullable<TradeMapping['side']>

/** The taker takes the other side of the maker. */
function sideOf({ column, buy, sell, of }: SideMapping, text: string): Side {
  if (!buy.includes(text) && !sell.includes(text)) throw new Error(`${column} is neither a buy nor a sell: ${text}`)
  return buy.includes(text) === (of !== 'maker') ? 'buy' : 'sell'
}

function sideSourceOf(side: SideMapping | undefined): 'none' | 'maker_inverted' | 'venue' {
  if (side === undefined) return 'none'
  return side.of === 'maker' ? 'maker_inverted' : 'venue'
}
