import type { RegisteredInstrument } from '../instruments/instrument.ts'
import { formatRfc3339 } from '../nanoseconds.ts'
import { FLAGS } from '../store/record.ts'
import type { TimeFormat } from './filter.ts'
import type { Row } from './record-queries.ts'

/** One row as JSON text. Rendered without JSON.stringify: a page has a thousand rows, and every field is text already. */
export type RenderRecord = (row: Row) => string

export type FormatTime = (nanoseconds: string) => string

export function formatTimeAs(format: TimeFormat): FormatTime {
  return format === 'unix_ns' ? (nanoseconds) => nanoseconds : formatRfc3339
}

/** The beginning of every record of an instrument: `{"id":"venue:symbol:` and what follows the id. */
export type Header = { idPrefix: string; names: string }

const NO_HEADER: Header = { idPrefix: '', names: '' }

export function headerOf(headers: ReadonlyMap<string, Header>, instrumentId: string): Header {
  return headers.get(instrumentId) ?? NO_HEADER
}

export function headersOf(instruments: readonly RegisteredInstrument[]): Map<string, Header> {
  return new Map(
    instruments.map(({ instrumentId, venue, symbol, venueSymbol }) => [
      String(instrumentId),
      {
        idPrefix: `${venue}:${symbol}:`,
        names: `"venue":${JSON.stringify(venue)},"symbol":${JSON.stringify(symbol)},"venue_symbol":${JSON.stringify(venueSymbol)},"instrument_id":${instrumentId}`,
      },
    ]),
  )
}

const FLAG_ENTRIES = Object.entries(FLAGS)

export function flagNames(bits: string): string[] {
  const set = Number(bits)
  return set === 0 ? [] : FLAG_ENTRIES.flatMap(([name, bit]) => ((set & bit) === 0 ? [] : [name]))
}

/** The `flags` field as JSON text. */
export function renderFlags(bits: string): string {
  return bits === '0' ? '[]' : JSON.stringify(flagNames(bits))
}

/** Absent values are stored as null and arrive here as empty text. */
export function quoteOrNull(text: string): string {
  return text === '' ? 'null' : JSON.stringify(text)
}
