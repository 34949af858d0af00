import type { InstrumentSpec } from '../../instruments/instrument.ts'
import { parseTime } from '../../nanoseconds.ts'
import { fixedDecimalOf, timeOf } from '../csv.ts'
import type { ReadFile } from '../kind.ts'
import { readByLine } from '../read-by-line.ts'
import { type DatabentoRecord, stockOf, takeRecord } from './databento-record.ts'

const COMMON =
  'ts_recv,ts_event,rtype,publisher_id,instrument_id,action,side,depth,price,size,flags,ts_in_delta,sequence'
const LEVEL_COLUMNS = 6
/** Price of a side without orders, in units of 1e-9. */
const NO_PRICE = '9223372036854775807'
/** Levels of the book in each row. */
export type BookDepth = 0 | 1 | 10

/** The first line of a file. */
export function csvHeader(depth: BookDepth): string {
  const levels = Array.from({ length: depth }, (_value, level) =>
    ['bid_px', 'ask_px', 'bid_sz', 'ask_sz', 'bid_ct', 'ask_ct'].map((name) => `${name}_0${level}`),
  )
  return [COMMON, ...levels.flat(), 'symbol'].join(',')
}

/** Reads CSV of mbp-1 or mbp-10, one record per line. */
export function readDatabentoCsv(depth: BookDepth): ReadFile {
  const columns = csvHeader(depth).split(',').length
  return (source, run) => {
    const instruments = new Map<string, InstrumentSpec>()
    return readByLine(source, run, (line, number) => {
      if (number === 1) return
      const fields = line.split(',')
      if (fields.length !== columns) throw new Error(`has ${fields.length} columns instead of ${columns}`)
      const symbol = fields.at(-1) ?? ''
      const instrument = instruments.get(symbol) ?? stockOf(symbol)
      instruments.set(symbol, instrument)
      takeRecord(run, instrument, recordOf(fields, number, depth))
    })
  }
}

const AT = {
  tsRecv: 0,
  tsEvent: 1,
  publisher: 3,
  action: 5,
  side: 6,
  price: 8,
  size: 9,
  flags: 10,
  sequence: 12,
  book: 13,
}

function recordOf(fields: string[], number: number, depth: BookDepth): DatabentoRecord {
  const at = (index: number): string => fields[index] ?? ''
  return {
    tsEvent: nanosecondsOf('ts_event', at(AT.tsEvent)),
    tsRecv: at(AT.tsRecv) === '' ? '' : nanosecondsOf('ts_recv', at(AT.tsRecv)),
    publisher: at(AT.publisher),
    sequence: at(AT.sequence),
    number,
    action: at(AT.action),
    side: at(AT.side),
    flags: Number(at(AT.flags)),
    price: priceOf(at(AT.price)),
    size: at(AT.size),
    book: depth === 0 ? undefined : { bids: levelsOf(fields, 0, depth), asks: levelsOf(fields, 1, depth), depth },
  }
}

/** A level has the columns of both sides: bid price, ask price, bid size, ask size. */
function levelsOf(fields: string[], side: 0 | 1, depth: BookDepth): (readonly [string, string])[] {
  return Array.from({ length: depth }, (_value, level) => {
    const at = AT.book + level * LEVEL_COLUMNS + side
    return [priceOf(fields[at] ?? ''), fields[at + 2] ?? ''] as const
  })
}

/** Prices are decimals with a point, or whole units of 1e-9; an empty field or the greatest number means no price. */
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
