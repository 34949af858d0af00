import { compareDecimals } from '../../decimal.ts'
import { compareNanoseconds } from '../../nanoseconds.ts'
import type { DecimalRange, Filter } from '../../records/filter.ts'
import type { Scan, TimeBounds } from '../../records/scan.ts'
import type { Row } from '../../records/record-queries.ts'
import type { ChannelName } from '../../tables.ts'
import type { SealedFile } from '../manifest-queries.ts'
import { L2_TYPE_LETTERS, SIDE_LETTERS } from '../../store/copy-queries.ts'

/** Positions in the rows of record-queries. */
const SEQUENCE_AT = 1
const TS_RECV_AT = 3
const SIDE_AT = 5
const PRICE_AT = 8
const SIZE_AT = 9
const TYPE_AT = 5

type Matches = (row: Row) => boolean

/** Applies the SQL conditions of a scan to one row of a file; undefined if every row matches. */
export function matcherOf(
  { channel, filter, received, through }: Scan,
  { instrumentId, sequenceMax }: SealedFile,
): Matches | undefined {
  const last = through?.get(instrumentId)
  const isCut = last !== undefined && compareNanoseconds(sequenceMax, last) > 0
  const conditions = conditionsOf(channel, filter)
  if (received !== undefined) conditions.push((row) => isReceivedIn(row[TS_RECV_AT] ?? '', received))
  if (isCut) conditions.push((row) => compareNanoseconds(row[SEQUENCE_AT] ?? '', last) <= 0)
  return everyOf(conditions)
}

/** Whether a row matches the fields of a filter, without its time; undefined if every row matches. */
export function fieldMatcherOf(channel: ChannelName, filter: Filter): Matches | undefined {
  return everyOf(conditionsOf(channel, filter))
}

function conditionsOf(channel: ChannelName, filter: Filter): Matches[] {
  return channel === 'trade' ? tradeConditions(filter) : l2Conditions(filter)
}

function everyOf(conditions: Matches[]): Matches | undefined {
  return conditions.length === 0 ? undefined : (row) => conditions.every((condition) => condition(row))
}

function tradeConditions({ side, price, size }: Filter): Matches[] {
  const conditions: Matches[] = []
  if (side !== undefined) conditions.push((row) => row[SIDE_AT] === SIDE_LETTERS[side])
  if (price !== undefined) conditions.push((row) => isWithin(row[PRICE_AT] ?? '', price))
  if (size !== undefined) conditions.push((row) => isWithin(row[SIZE_AT] ?? '', size))
  return conditions
}

function l2Conditions({ types }: Filter): Matches[] {
  if (types === undefined) return []
  const letters = new Set<string | undefined>(types.map((type) => L2_TYPE_LETTERS[type]))
  return [(row) => letters.has(row[TYPE_AT])]
}

function isWithin(value: string, { gt, gte, lt, lte }: DecimalRange): boolean {
  if (gt !== undefined && compareDecimals(value, gt) <= 0) return false
  if (gte !== undefined && compareDecimals(value, gte) < 0) return false
  if (lt !== undefined && compareDecimals(value, lt) >= 0) return false
  return lte === undefined || compareDecimals(value, lte) <= 0
}

function isReceivedIn(time: string, { start, end }: TimeBounds): boolean {
  if (start !== undefined && compareNanoseconds(time, start) < 0) return false
  return end === undefined || compareNanoseconds(time, end) < 0
}
