import type { InstrumentSpec } from '../../instruments/instrument.ts'
import { FLAGS } from '../../store/record.ts'
import { positiveOf } from '../csv.ts'
import type { FileRun, ReadFile } from '../kind.ts'
import { readByLine } from '../read-by-line.ts'
import { vendorInstrument } from '../vendor-symbol.ts'
import { type BookMessage, createBookWriter, invalidateBooksOnRejection } from './book-writer.ts'
import { createKrakenBook } from '../../venues/kraken/kraken-book.ts'
import { field, rowsIn, rowsOf } from '../../venues/json.ts'
import { parseRecordedLine, type RecordedFrame } from './recorded-frame.ts'

const BOOK_CHANNEL = /^book-(\d{1,4})$/
const TIME = /^(\d{10})\.(\d{1,9})$/
const NS_DIGITS = 9

/** Channel and pair of a data frame; undefined for events such as heartbeats. */
export function krakenChannel(message: unknown): { channel: string; pair: string } | undefined {
  if (!Array.isArray(message) || typeof message[0] !== 'number') return undefined
  const [channel, pair]: unknown[] = message.slice(-2)
  return typeof channel === 'string' && typeof pair === 'string' ? { channel, pair } : undefined
}

type Market = {
  depth: number
  instrument: InstrumentSpec
  book: ReturnType<typeof createKrakenBook>
  writer: ReturnType<typeof createBookWriter>
}

/** Frames of the WebSocket API v1: books, whose checksums are verified, and trades. */
export async function readKraken(...[source, run]: Parameters<ReadFile>): Promise<void> {
  const markets = new Map<string, Market>()
  await readByLine(source, invalidateBooksOnRejection(run, markets), (line, number) => {
    const frame = parseRecordedLine(line)
    const about = krakenChannel(frame?.message)
    if (frame !== undefined && about !== undefined) takeFrame(run, markets, { ...frame, ...about, number })
  })
  for (const { writer } of markets.values()) writer.end()
}

type DataFrame = RecordedFrame & { channel: string; pair: string; number: number }

function takeFrame(run: FileRun, markets: Map<string, Market>, { tsRecv, message, ...about }: DataFrame): void {
  const depth = BOOK_CHANNEL.exec(about.channel)?.[1]
  if (!Array.isArray(message) || (depth === undefined && about.channel !== 'trade')) return
  const key = `${about.channel} ${about.pair}`
  const market = markets.get(key) ?? openMarket(run, about.pair, Number(depth ?? 0))
  markets.set(key, market)
  const parts: unknown[] = message.slice(1, -2)
  if (depth === undefined) takeTrades(run, market, { tsRecv, message: parts[0] }, about.number)
  else takeBook(market, tsRecv, parts)
}

function openMarket(run: FileRun, pair: string, depth: number): Market {
  const instrument = vendorInstrument('kraken', pair)
  if (instrument === undefined) throw new Error(`the symbol ${pair} cannot be translated`)
  return { depth, instrument, book: createKrakenBook(depth), writer: createBookWriter(run, instrument) }
}

/** Asks and bids of one message may come as two objects. */
function takeBook(market: Market, tsRecv: string, parts: unknown[]): void {
  const isSnapshot = parts.some((part) => field(part, 'as') !== undefined)
  const [asks, bids] = (isSnapshot ? (['as', 'bs'] as const) : (['a', 'b'] as const)).map((name) =>
    parts.flatMap((part) => rowsOf(part, name)),
  )
  if (asks === undefined || bids === undefined || asks.length + bids.length === 0) throw new Error('has no levels')
  if (isSnapshot) market.book = createKrakenBook(market.depth)
  market.book.apply('a', asks)
  market.book.apply('b', bids)
  const message = messageOf({ type: isSnapshot ? 'snapshot' : 'update', tsRecv, asks, bids })
  const checksum = parts.map((part) => field(part, 'c')).find((value) => typeof value === 'string')
  if (checksum === undefined || Number(checksum) === market.book.checksum()) market.writer.write(message)
  else market.writer.invalidate(message, 'checksum_mismatch')
}

function messageOf({ type, tsRecv, asks, bids }: Pick<BookMessage, 'type' | 'tsRecv' | 'asks' | 'bids'>): BookMessage {
  const times = [...asks, ...bids].map(([, , time]) => nanosecondsOf(time))
  const tsEvent = times.reduce((latest, time) => (time > latest ? time : latest))
  return { type, sourceId: `${type === 'snapshot' ? 's' : 'u'}${tsRecv}`, tsEvent, tsRecv, asks, bids }
}

/** Trades carry no id: time and position in the file identify them. */
function takeTrades(run: FileRun, { instrument }: Market, { tsRecv, message }: RecordedFrame, number: number): void {
  for (const [index, [price, size, time, side]] of rowsIn(message, 'trades').entries()) {
    run.trade(instrument, {
      sourceId: `row:${number}:${index}`,
      hasTradeId: false,
      tsEvent: nanosecondsOf(time),
      tsRecv,
      price: positiveOf('price', price),
      size: positiveOf('volume', size),
      side: sideOf(side),
      sideSource: 'venue',
      flags: FLAGS.replayed,
      conditions: [],
    })
  }
}

function sideOf(letter: string | undefined): 'buy' | 'sell' {
  if (letter !== 'b' && letter !== 's') throw new Error(`side is neither b nor s: ${letter}`)
  return letter === 'b' ? 'buy' : 'sell'
}

/** Nanosecond digits, all 19 of them, so that they compare as text. */
function nanosecondsOf(time: string | undefined): string {
  const [, seconds, fraction = ''] = TIME.exec(time ?? '') ?? []
  if (seconds === undefined) throw new Error(`is not a time in seconds: ${time}`)
  return seconds + fraction.padEnd(NS_DIGITS, '0')
}
