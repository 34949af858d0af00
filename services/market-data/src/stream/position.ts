import { compareNanoseconds } from '../nanoseconds.ts'
import type { Key } from '../records/cursor.ts'
import type { Row } from '../records/record-queries.ts'

/** A place in the order (ts_event, sequence) of one instrument's channel; both as digits. */
export type Position = { tsEvent: string; sequence: string }

/** An instrument without recent records has its place this long ago, so that a cursor stays within the last 24 hours. */
export const RECENT_NS = 23n * 3_600_000_000_000n

export const FIRST_POSITION: Position = { tsEvent: '0', sequence: '0' }

export function positionOfRow([, sequence = '', tsEvent = '']: Row): Position {
  return { tsEvent, sequence }
}

export function sequenceOfRow([, sequence]: Row): number {
  return Number(sequence)
}

export function comparePositions(one: Position, other: Position): number {
  return compareNanoseconds(one.tsEvent, other.tsEvent) || compareNanoseconds(one.sequence, other.sequence)
}

export function compareRows(one: Row, other: Row): number {
  return comparePositions(positionOfRow(one), positionOfRow(other))
}

export function laterOf(one: Position, other: Position): Position {
  return comparePositions(one, other) < 0 ? other : one
}

/**
 * A position in an instrument that has certainly been reached by reading up to `key` in the order (ts_event, instrument,
 * sequence).
 */
export function positionAt(key: Key, instrumentId: number): Position {
  if (instrumentId === key.instrumentId) return { tsEvent: key.tsEvent, sequence: key.sequence }
  return { tsEvent: key.tsEvent, sequence: FIRST_POSITION.sequence }
}
