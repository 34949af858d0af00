import type { InstrumentSpec } from '../../instruments/instrument.ts'
import { FLAGS, type Side } from '../../store/record.ts'
import { decimalOf, positiveOf, sizeOf, timeOf } from '../csv.ts'
import type { FileRun, Kind, ReadFile } from '../kind.ts'
import { quoteRecord } from '../quote-record.ts'
import { readByLine } from '../read-by-line.ts'
import { vendorInstrument } from '../vendor-symbol.ts'
import { createBookChanges } from './book-changes.ts'

const START = 'exchange,symbol,timestamp,local_timestamp'
const HEADERS = {
  trades: `${START},id,side,price,amount`,
  l2: `${START},is_snapshot,side,price,amount`,
  quotes: `${START},ask_amount,ask_price,bid_price,bid_amount`,
}

export const tardisKinds: readonly Kind[] = [
  { ...kindOf('trades', readTrades), name: 'tardis-trades', description: 'Tardis trades' },
  { ...kindOf('l2', readL2), name: 'tardis-l2', description: 'Tardis incremental_book_L2' },
  { ...kindOf('quotes', readQuotes), name: 'tardis-quotes', description: 'Tardis quotes' },
]

function kindOf(type: keyof typeof HEADERS, read: ReadFile): Pick<Kind, 'isLike' | 'createReader'> {
  return { isLike: ({ lines }) => lines[0] === HEADERS[type], createReader: () => read }
}

type Row = { instrument: InstrumentSpec; tsEvent: string; tsRecv: string; fields: string[]; number: number }

/** Rows of a file; instruments are looked up once per exchange and symbol. */
function readRows(columns: number, take: (run: FileRun, row: Row) => void): ReadFile {
  return (source, run) => {
    const instruments = new Map<string, InstrumentSpec>()
    return readByLine(source, run, (line, number) => {
      if (number === 1) return
      const fields = line.split(',')
      if (fields.length !== columns) throw new Error(`has ${fields.length} columns instead of ${columns}`)
      const [exchange = '', symbol = '', timestamp, localTimestamp, ...rest] = fields
      take(run, {
        instrument: instrumentOf(instruments, exchange, symbol),
        tsEvent: timeOf('timestamp', timestamp, ['us']),
        tsRecv: timeOf('local_timestamp', localTimestamp, ['us']),
        fields: rest,
        number,
      })
    })
  }
}

function instrumentOf(instruments: Map<string, InstrumentSpec>, exchange: string, symbol: string): InstrumentSpec {
  const key = `${exchange} ${symbol}`
  const instrument = instruments.get(key) ?? vendorInstrument(exchange, symbol)
  if (instrument === undefined) throw new Error(`the symbol ${symbol} of ${exchange} cannot be translated`)
  instruments.set(key, instrument)
  return instrument
}

const COLUMNS = 8

function readTrades(...[source, run]: Parameters<ReadFile>): Promise<void> {
  return readRows(COLUMNS, (_run, { instrument, tsEvent, tsRecv, fields, number }) => {
    const [id = '', side = '', price, amount] = fields
    run.trade(instrument, {
      sourceId: id === '' ? `row:${number}` : id,
      hasTradeId: id !== '',
      tsEvent,
      tsRecv,
      price: positiveOf('price', price),
      size: positiveOf('amount', amount),
      side: sideOf(side),
      sideSource: side === 'unknown' ? 'none' : 'venue',
      flags: FLAGS.replayed,
      conditions: [],
    })
  })(source, run)
}

function sideOf(text: string): Side {
  if (text === 'buy' || text === 'sell' || text === 'unknown') return text
  throw new Error(`side is not buy, sell or unknown: ${text}`)
}

function readQuotes(...[source, run]: Parameters<ReadFile>): Promise<void> {
  return readRows(COLUMNS, (_run, { instrument, tsEvent, tsRecv, fields, number }) => {
    const [askAmount, askPrice, bidPrice, bidAmount] = fields
    const bid = levelOf('bid', bidPrice, bidAmount)
    const ask = levelOf('ask', askPrice, askAmount)
    run.l2Event(instrument, quoteRecord({ sourceId: `row:${number}`, tsEvent, tsRecv, bid, ask }))
  })(source, run)
}

/** An empty price is a side without orders. */
function levelOf(side: string, price: string | undefined, amount: string | undefined): [string, string] | undefined {
  if (price === '') return undefined
  return [decimalOf(`${side}_price`, price), sizeOf(`${side}_amount`, amount)]
}

async function readL2(...[source, run]: Parameters<ReadFile>): Promise<void> {
  const changes = createBookChanges(run)
  const takeRow = readRows(COLUMNS, (_run, { instrument, tsEvent, tsRecv, fields }) => {
    const [isSnapshot, side, price, amount] = fields
    if ((isSnapshot !== 'true' && isSnapshot !== 'false') || (side !== 'bid' && side !== 'ask')) {
      throw new Error('is_snapshot is not true or false, or side not bid or ask')
    }
    const level = [positiveOf('price', price), sizeOf('amount', amount)] as const
    changes.take({ instrument, tsEvent, tsRecv, isSnapshot: isSnapshot === 'true', side, level })
  })
  await takeRow(source, { ...run, refuse: (line, reason) => (changes.invalidate(), run.refuse(line, reason)) })
  changes.end()
}
