import type { InstrumentSpec } from '../../instruments/instrument.ts'
import { parseTime } from '../../nanoseconds.ts'
import { FLAGS } from '../../store/record.ts'
import { positiveOf } from '../csv.ts'
import type { FileRun, ReadFile } from '../kind.ts'
import { readByLine } from '../read-by-line.ts'
import { vendorInstrument } from '../vendor-symbol.ts'
import { createBookWriter, watchRefusals } from './book-writer.ts'
import { field, parseRecordedLine, type RecordedFrame, rowsOf, textField } from './recorded-frame.ts'

const USED = ['snapshot', 'l2update', 'match', 'last_match']

export function isCoinbaseMessage(message: unknown): boolean {
  const isTyped = typeof field(message, 'type') === 'string'
  return isTyped && (field(message, 'product_id') !== undefined || field(message, 'channels') !== undefined)
}

type Market = {
  instrument: InstrumentSpec
  writer: ReturnType<typeof createBookWriter>
  /** The last time that the venue gave. */
  tsEvent: string | undefined
}

/** Frames of the Exchange feed: level2 and matches. */
export async function readCoinbase(...[source, run]: Parameters<ReadFile>): Promise<void> {
  const markets = new Map<string, Market>()
  await readByLine(source, watchRefusals(run, markets), (line) => {
    const frame = parseRecordedLine(line)
    const type = field(frame?.message, 'type')
    if (frame === undefined || typeof type !== 'string' || !USED.includes(type)) return
    const product = textField(frame.message, 'product_id')
    const market = markets.get(product) ?? openMarket(run, product)
    markets.set(product, market)
    if (type === 'snapshot') takeSnapshot(market, frame)
    else if (type === 'l2update') takeUpdate(market, frame)
    else takeMatch(run, market, frame)
  })
  for (const { writer } of markets.values()) writer.end()
}

function openMarket(run: FileRun, product: string): Market {
  const instrument = vendorInstrument('coinbase', product)
  if (instrument === undefined) throw new Error(`the symbol ${product} cannot be translated`)
  return { instrument, writer: createBookWriter(run, instrument), tsEvent: undefined }
}

/** A snapshot carries no time: its receipt time is used for both. */
function takeSnapshot({ writer }: Market, { tsRecv, message }: RecordedFrame): void {
  const [bids, asks] = [rowsOf(message, 'bids'), rowsOf(message, 'asks')]
  writer.write({ type: 'snapshot', sourceId: `s${tsRecv}`, tsEvent: tsRecv, tsRecv, bids, asks })
}

function takeUpdate(market: Market, { tsRecv, message }: RecordedFrame): void {
  const changes = rowsOf(message, 'changes')
  const levels = (side: string): string[][] => changes.filter(([of]) => of === side).map(([, ...level]) => level)
  const [bids, asks] = [levels('buy'), levels('sell')]
  if (bids.length + asks.length !== changes.length) throw new Error('a change is neither buy nor sell')
  const { tsEvent, flags } = timeOf(market, message, tsRecv)
  market.writer.write({ type: 'update', sourceId: `u${tsRecv}`, tsEvent, tsRecv, bids, asks, flags })
}

/** `side` is the maker's. */
function takeMatch(run: FileRun, market: Market, { tsRecv, message }: RecordedFrame): void {
  const id = field(message, 'trade_id')
  const side = textField(message, 'side')
  if (typeof id !== 'number' || !Number.isSafeInteger(id)) throw new Error('trade_id is missing or not a whole number')
  if (side !== 'buy' && side !== 'sell') throw new Error(`side is neither buy nor sell: ${side}`)
  const { tsEvent, flags } = timeOf(market, message, tsRecv)
  run.trade(market.instrument, {
    sourceId: String(id),
    hasTradeId: true,
    tsEvent,
    tsRecv,
    price: positiveOf('price', textField(message, 'price')),
    size: positiveOf('size', textField(message, 'size')),
    side: side === 'buy' ? 'sell' : 'buy',
    sideSource: 'maker_inverted',
    flags: FLAGS.replayed | flags,
    conditions: [],
  })
}

/** The feed sometimes sends the year 1: the last valid time is used instead. */
function timeOf(market: Market, message: unknown, tsRecv: string): { tsEvent: string; flags: number } {
  const time = parseTime(textField(message, 'time'))
  if (time === undefined) return { tsEvent: market.tsEvent ?? tsRecv, flags: FLAGS.bad_ts_event }
  market.tsEvent = String(time)
  return { tsEvent: market.tsEvent, flags: 0 }
}
