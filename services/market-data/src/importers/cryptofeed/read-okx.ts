import type { InstrumentSpec } from '../../instruments/instrument.ts'
import { FLAGS } from '../../store/record.ts'
import { positiveOf, timeOf } from '../csv.ts'
import type { FileRun, ReadFile } from '../kind.ts'
import { readByLine } from '../read-by-line.ts'
import { field, rowsOf, textField } from '../../venues/json.ts'
import { vendorInstrument } from '../vendor-symbol.ts'
import { createBookWriter, invalidateBooksOnRejection } from './book-writer.ts'
import { parseRecordedLine, type RecordedFrame } from './recorded-frame.ts'

/** Channels whose first message is a snapshot and whose others are updates. */
const BOOKS = ['books', 'books-l2-tbt', 'books50-l2-tbt']
const TRADES = ['trades', 'trades-all']

/** Channel and instrument of a data frame of the WebSocket API v5; undefined for events such as subscriptions. */
export function okxChannel(message: unknown): { channel: string; instrument: string } | undefined {
  const about = field(message, 'arg')
  const [channel, instrument] = [field(about, 'channel'), field(about, 'instId')]
  const isData = typeof channel === 'string' && typeof instrument === 'string' && Array.isArray(field(message, 'data'))
  return isData ? { channel, instrument } : undefined
}

export function isOkxMessage(message: unknown): boolean {
  return (
    okxChannel(message) !== undefined || (field(message, 'event') !== undefined && field(message, 'arg') !== undefined)
  )
}

type Market = {
  instrument: InstrumentSpec
  writer: ReturnType<typeof createBookWriter>
  /** `seqId` of the last book message, to which the next one refers. */
  lastId: number | undefined
}

/** Frames of the channels books and trades; updates are joined by the venue's sequence ids. */
export async function readOkx(...[source, run]: Parameters<ReadFile>): Promise<void> {
  const markets = new Map<string, Market>()
  await readByLine(source, invalidateBooksOnRejection(run, markets), (line) => {
    const frame = parseRecordedLine(line)
    const about = okxChannel(frame?.message)
    if (frame !== undefined && about !== undefined) takeFrame(run, markets, { ...frame, ...about })
  })
  for (const { writer } of markets.values()) writer.end()
}

type DataFrame = RecordedFrame & { channel: string; instrument: string }

function takeFrame(run: FileRun, markets: Map<string, Market>, { channel, instrument, ...frame }: DataFrame): void {
  const isBook = BOOKS.includes(channel)
  if (!isBook && !TRADES.includes(channel)) return
  const key = `${isBook ? channel : 'trades'} ${instrument}`
  const market = markets.get(key) ?? openMarket(run, instrument)
  markets.set(key, market)
  const data = field(frame.message, 'data')
  for (const one of Array.isArray(data) ? data : []) {
    if (isBook) takeBook(market, frame, one)
    else takeTrade(run, market, frame, one)
  }
}

function openMarket(run: FileRun, symbol: string): Market {
  const instrument = vendorInstrument('okx', symbol)
  if (instrument === undefined) throw new Error(`the symbol ${symbol} cannot be translated`)
  return { instrument, writer: createBookWriter(run, instrument), lastId: undefined }
}

/** A level is price, size, a field without use and the number of orders. */
function takeBook(market: Market, { tsRecv, message }: RecordedFrame, data: unknown): void {
  const type = textField(message, 'action')
  if (type !== 'snapshot' && type !== 'update') throw new Error(`action is neither snapshot nor update: ${type}`)
  const [id, previousId] = [idOf(data, 'seqId'), idOf(data, 'prevSeqId')]
  const [bids, asks] = [rowsOf(data, 'bids'), rowsOf(data, 'asks')]
  const times = { tsEvent: timeOf('ts', textField(data, 'ts'), ['ms']), tsRecv }
  const isNext = type === 'snapshot' || market.lastId === undefined || previousId === market.lastId
  market.lastId = id
  if (!isNext) return market.writer.invalidate(times, 'update_ids_missing')
  // Without changes for a minute the venue repeats the last id.
  if (type === 'update' && bids.length + asks.length === 0) return
  market.writer.write({ ...times, type, sourceId: `${type === 'snapshot' ? 's' : ''}${id}`, bids, asks })
}

function idOf(data: unknown, name: string): number {
  const id = field(data, name)
  if (typeof id !== 'number' || !Number.isSafeInteger(id)) throw new Error(`${name} is missing or not a whole number`)
  return id
}

/** `side` is the taker's. `trades` may join several trades of one taker under the id of the last one. */
function takeTrade(run: FileRun, { instrument }: Market, { tsRecv }: RecordedFrame, data: unknown): void {
  const id = textField(data, 'tradeId')
  const side = textField(data, 'side')
  if (!/^\d{1,20}$/.test(id)) throw new Error(`tradeId is not a number: ${id}`)
  if (side !== 'buy' && side !== 'sell') throw new Error(`side is neither buy nor sell: ${side}`)
  run.trade(instrument, {
    sourceId: id,
    hasTradeId: true,
    tsEvent: timeOf('ts', textField(data, 'ts'), ['ms']),
    tsRecv,
    price: positiveOf('px', textField(data, 'px')),
    size: positiveOf('sz', textField(data, 'sz')),
    side,
    sideSource: 'venue',
    flags: FLAGS.replayed,
    conditions: [],
  })
}
