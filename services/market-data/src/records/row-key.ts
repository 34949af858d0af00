import { compareNanoseconds } from '../nanoseconds.ts'
import type { Key } from './cursor.ts'
import type { Row } from './record-queries.ts'

/** Position of a row in the total order. */
export function keyOfRow([instrumentId, sequence, tsEvent]: Row): Key {
  return { tsEvent: tsEvent ?? '', instrumentId: Number(instrumentId), sequence: sequence ?? '' }
}

/** The order (ts_event, instrument_id, sequence). */
export function compareKeys(one: Key, other: Key): number {
  return (
    compareNanoseconds(one.tsEvent, other.tsEvent) ||
    one.instrumentId - other.instrumentId ||
    compareNanoseconds(one.sequence, other.sequence)
  )
}
