import type { InstrumentSpec } from '../../instruments/instrument.ts'
import { FLAGS } from '../../store/record.ts'
import { positiveOf, timeOf } from '../csv.ts'
import type { FileRun, ReadFile } from '../kind.ts'
import { readByLine } from '../read-by-line.ts'
import { field, rowsOf, textField } from '../../venues/json.ts'
import { vendorInstrument } from '../vendor-symbol.ts'
import { createBookWriter, invalidateBooksOnRejection } from './book-writer.ts'
import { parseRecordedLine, type RecordedFrame } from './recorded-frame.ts'

/** Symbols have no separator: a known quote ends them, the longest that fits. */
const SYMBOL = /^([A-Z0-9]{1,20}?)(GUSD|USDT|USDC|USD|BTC|ETH|EUR|GBP|SGD|DAI|BCH|LTC|FIL|DOGE)(PERP)?$/
const USED = ['l2_updates', 'trade']

export function isGeminiMessage(message: unknown): boolean {
  const type = field(message, 'type')
  if (type === 'heartbeat') return typeof field(message, 'timestamp') === 'number'
  return typeof type === 'string' && USED.includes(type) && typeof field(message, 'symbol') === 'string'
}

type Market = { instrument: InstrumentSpec; writer: ReturnType<typeof createBookWriter> }

/** Frames of the market data API v2. */
export async function readGemini(...[source, run]: Parameters<ReadFile>): Promise<void> {
  const markets = new Map<string, Market>()
  await readByLine(source, invalidateBooksOnRejection(run, markets), (line) => {
    const frame = parseRecordedLine(line)
    const type = field(frame?.message, 'type')
    if (frame === undefined || typeof type !== 'string' || !USED.includes(type)) return
    const symbol = textField(frame.message, 'symbol')
    const market = markets.get(symbol) ?? openMarket(run, symbol)
    markets.set(symbol, market)
    if (type === 'trade') takeTrade(run, market, frame.tsRecv, frame.message)
    else takeBook(run, market, frame)
  })
  for (const { writer } of markets.values()) writer.end()
}

function openMarket(run: FileRun, symbol: string): Market {
  const [, base, quote, ending] = SYMBOL.exec(symbol) ?? []
  const instrument = vendorInstrument('gemini', [base, quote, ending].filter((part) => part !== undefined).join('-'))
  if (instrument === undefined) throw new Error(`the symbol ${symbol} cannot be translated`)
  return { instrument: { ...instrument, venueSymbol: symbol }, writer: createBookWriter(run, instrument) }
}

/** Only the first message of a connection has trades: it is the whole book. No message has a time of the venue. */
function takeBook(run: FileRun, market: Market, { tsRecv, message }: RecordedFrame): void {
  const changes = rowsOf(message, 'changes')
  const levels = (side: string): string[][] => changes.filter(([of]) => of === side).map(([, ...level]) => level)
  const [bids, asks] = [levels('buy'), levels('sell')]
  if (bids.length + asks.length !== changes.length) throw new Error('a change is neither buy nor sell')
  const trades = field(message, 'trades')
  const isSnapshot = Array.isArray(trades)
  const sourceId = `${isSnapshot ? 's' : 'u'}${tsRecv}`
  const times = { tsEvent: tsRecv, tsRecv }
  if (changes.length > 0 || isSnapshot) {
    const flags = isSnapshot ? 0 : FLAGS.bad_ts_event
    market.writer.write({ ...times, type: isSnapshot ? 'snapshot' : 'update', sourceId, bids, asks, flags })
  }
  for (const trade of isSnapshot ? trades : []) takeTrade(run, market, tsRecv, trade)
}

function takeTrade(run: FileRun, { instrument }: Market, tsRecv: string, trade: unknown): void {
  const [id, time] = [field(trade, 'event_id'), field(trade, 'timestamp')]
  const side = textField(trade, 'side')
  if (typeof id !== 'number' || !Number.isSafeInteger(id)) throw new Error('event_id is missing or not a whole number')
  if (side !== 'buy' && side !== 'sell') throw new Error(`side is neither buy nor sell: ${side}`)
  run.trade(instrument, {
    sourceId: String(id),
    hasTradeId: true,
    tsEvent: timeOf('timestamp', typeof time === 'number' ? String(time) : '', ['ms']),
    tsRecv,
    price: positiveOf('price', textField(trade, 'price')),
    size: positiveOf('quantity', textField(trade, 'quantity')),
    side,
    sideSource: 'venue',
    flags: FLAGS.replayed,
    conditions: [],
  })
}
