import { formatRfc3339 } from '../../nanoseconds.ts'
import type { RegisteredInstrument } from '../../instruments/instrument.ts'
import type { RowSpan } from '../../lake/reading/row-batch.ts'
import type { Block } from '../../lake/files/decode-block.ts'
import type { TimeFormat } from '../filter.ts'
import { renderFlags } from '../render-record.ts'
import { SIDE_SOURCES, SIDES } from '../render-trade.ts'
import { type ByteWriter, type Halves, halvesOf, nanosecondsBeyond, safeInteger, secondsIn } from './byte-writer.ts'

export type TradeBytes = {
  instruments: readonly RegisteredInstrument[]
  timeFormat: TimeFormat
  hasConditions: boolean
  separator: string
}

/** More than any trade without its source id, flags and conditions: names have up to 40 characters. */
export const FIXED_BYTES = 2_048
const POINT = 46
const MINUTE_S = 60

/** Writes the trades of spans as JSON, byte-identical to renderTradeWith for their rows. */
export function writeTradeSpan(out: ByteWriter, span: RowSpan, tradeBytes: TradeBytes): void {
  const write = tradeWriter(out, span, tradeBytes)
  const separator = bytesOf(tradeBytes.separator)
  const { first, count, step } = span
  for (let place = 0; place < count; place += 1) {
    if (place > 0) out.piece(separator)
    write(first + place * step)
  }
}

type WriteRow = (row: number) => void

function tradeWriter(out: ByteWriter, { block, instrumentId }: RowSpan, tradeBytes: TradeBytes): WriteRow {
  const pieces = piecesOf(tradeBytes, instrumentId)
  const id = idWriter(out, block)
  const event = timeWriter(out, halvesOf(block.times), tradeBytes.timeFormat)
  const received = timeWriter(out, block.receiveTimes(), tradeBytes.timeFormat)
  const sequences = halvesOf(block.sequences)
  const [price, size] = [decimalWriter(out, block, 'price'), decimalWriter(out, block, 'size')]
  const [flags, hasTradeId] = [block.values('flags'), block.values('has_trade_id')]
  const sides = wordWriter(out, block.values('side'), SIDES)
  const sources = wordWriter(out, block.values('side_source'), SIDE_SOURCES)
  const conditions = tradeBytes.hasConditions ? block.values('conditions') : undefined
  return (row) => {
    out.reserve(FIXED_BYTES)
    out.piece(pieces.start)
    id(row)
    out.piece(pieces.names)
    event(row)
    out.piece(RECEIVED)
    received(row)
    out.piece(SEQUENCE)
    writeInteger(out, block.sequences, sequences, row)
    out.piece(FLAGS)
    if (flags[row] === 0) out.piece(EMPTY_LIST)
    else out.text(renderFlags(String(flags[row])))
    if (hasTradeId[row]) {
      out.piece(TRADE_ID)
      id(row)
      out.piece(PRICE)
    } else out.piece(NO_TRADE_ID)
    price(row)
    out.piece(SIZE)
    size(row)
    out.piece(SIDE)
    sides(row)
    out.piece(SIDE_SOURCE)
    sources(row)
    out.piece(QUOTE)
    if (conditions !== undefined) out.text(`,"conditions":${JSON.stringify(wordsOf(conditions[row]))}`)
    out.piece(END)
  }
}

const [RECEIVED, SEQUENCE, FLAGS] = ['","ts_recv":"', '","sequence":"', '","flags":'].map(bytesOf) as Three
const [TRADE_ID, PRICE, NO_TRADE_ID] = [
  ',"trade_id":"',
  '","venue_sequence":null,"price":"',
  ',"trade_id":null,"venue_sequence":null,"price":"',
].map(bytesOf) as Three
const [SIZE, SIDE, SIDE_SOURCE] = ['","size":"', '","side":"', '","side_source":"'].map(bytesOf) as Three
const [QUOTE, END, EMPTY_LIST] = ['"', '}', '[]'].map(bytesOf) as Three
type Three = [Uint8Array, Uint8Array, Uint8Array]

function bytesOf(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text))
}

function wordsOf(words: unknown): string[] {
  return typeof words === 'string' && words !== '' ? words.split(' ') : []
}

function piecesOf({ instruments }: TradeBytes, instrumentId: number) {
  const instrument = instruments.find((one) => one.instrumentId === instrumentId)
  if (instrument === undefined) throw new Error(`instrument ${instrumentId} was not selected`)
  const { venue, symbol, venueSymbol } = instrument
  const [idStart, name, other, native] = [`${venue}:${symbol}:`, venue, symbol, venueSymbol].map((text) =>
    JSON.stringify(text),
  )
  return {
    start: bytesOf(`{"id":${idStart?.slice(0, -1)}`),
    names: bytesOf(
      `","venue":${name},"symbol":${other},"venue_symbol":${native},"instrument_id":${instrumentId},"ts_event":"`,
    ),
  }
}

/** Writes the source id without its quotes. */
function idWriter(out: ByteWriter, block: Block): WriteRow {
  if (block.traits.hasNumericIds) {
    const numbers = block.int64('source_id')
    const halves = halvesOf(numbers)
    return (row) => writeInteger(out, numbers, halves, row)
  }
  const ids = block.values('source_id')
  return (row) => {
    const text = String(ids[row])
    out.reserve(text.length + FIXED_BYTES)
    if (!out.plainText(text)) out.text(JSON.stringify(text).slice(1, -1))
  }
}

function writeInteger(out: ByteWriter, values: BigInt64Array, halves: Halves, row: number): void {
  const value = safeInteger(halves, row)
  if (Number.isNaN(value)) out.text(String(values[row]))
  else out.digits(value)
}

function decimalWriter(out: ByteWriter, block: Block, name: 'price' | 'size'): WriteRow {
  const scale = name === 'price' ? block.traits.priceScale : block.traits.sizeScale
  const text = block.textOf(name)
  if (scale === undefined) return (row) => out.text(text(row) ?? '')
  const halves = halvesOf(block.int64(name))
  const unit = 10 ** scale
  return (row) => {
    const value = safeInteger(halves, row)
    if (Number.isNaN(value)) {
      out.text(text(row) ?? '')
      return
    }
    const whole = Math.floor(value / unit)
    out.digits(whole)
    writeFraction(out, value - whole * unit, scale)
  }
}

/** At most fifteen digits, without trailing zeros. */
function writeFraction(out: ByteWriter, fraction: number, scale: number): void {
  if (fraction === 0) return
  out.byte(POINT)
  const lower = Math.min(scale, 8)
  if (scale > 8) {
    const upper = Math.floor(fraction / 1e8)
    out.padded(Math.floor(upper / 1e8), Math.max(0, scale - 16))
    out.padded(upper % 1e8, Math.min(8, scale - 8))
  }
  out.padded(fraction % 1e8, lower)
  out.removeZeros()
}

/** Times of a page usually share their minute. */
function timeWriter(out: ByteWriter, halves: Halves, format: TimeFormat): WriteRow {
  let minute = -1
  let start = QUOTE
  return (row) => {
    const seconds = secondsIn(halves, row)
    const nanoseconds = nanosecondsBeyond(halves, row, seconds)
    if (format === 'unix_ns') {
      if (seconds > 0) out.digits(seconds)
      if (seconds > 0) out.padded(nanoseconds, 9)
      else out.digits(nanoseconds)
      return
    }
    const inMinute = seconds % MINUTE_S
    if (seconds - inMinute !== minute) {
      minute = seconds - inMinute
      start = bytesOf(formatRfc3339(`${minute}000000000`).slice(0, 17))
    }
    out.piece(start)
    out.padded(inMinute, 2)
    out.byte(POINT)
    out.padded(nanoseconds, 9)
    out.byte(Z)
  }
}

const Z = 90

function wordWriter(out: ByteWriter, letters: ArrayLike<unknown>, names: ReadonlyMap<string, string>): WriteRow {
  const words = new Map<unknown, Uint8Array>([...names].map(([letter, name]) => [letter, bytesOf(name)]))
  return (row) => {
    const word = words.get(letters[row])
    if (word !== undefined) out.piece(word)
  }
}
