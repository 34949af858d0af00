import { compareDecimals } from '../../decimal.ts'
import type { DecimalRange, Filter } from '../../records/filter.ts'
import type { Row } from '../../records/record-queries.ts'
import { L2_TYPE_LETTERS, SIDE_LETTERS } from '../../store/copy-queries.ts'
import type { ChannelName } from '../../tables.ts'

/** Positions in the rows of record-queries. */
const SIDE_AT = 5
const PRICE_AT = 8
const SIZE_AT = 9
const TYPE_AT = 5

type Matches = (row: Row) => boolean

/** What PostgreSQL's conditions of a filter say about one row; undefined when every row fits. */
export function matcherOf(channel: ChannelName, { side, price, size, types }: Filter): Matches | undefined {
  const conditions: Matches[] = []
  if (channel === 'trade') {
    if (side !== undefined) conditions.push((row) => row[SIDE_AT] === SIDE_LETTERS[side])
    if (price !== undefined) conditions.push((row) => isWithin(row[PRICE_AT] ?? '', price))
    if (size !== undefined) conditions.push((row) => isWithin(row[SIZE_AT] ?? '', size))
  } else if (types !== undefined) {
    const letters = new Set<string | undefined>(types.map((type) => L2_TYPE_LETTERS[type]))
    conditions.push((row) => letters.has(row[TYPE_AT]))
  }
  return conditions.length === 0 ? undefined : (row) => conditions.every((condition) => condition(row))
}

function isWithin(value: string, { gt, gte, lt, lte }: DecimalRange): boolean {
  if (gt !== undefined && compareDecimals(value, gt) <= 0) return false
  if (gte !== undefined && compareDecimals(value, gte) < 0) return false
  if (lt !== undefined && compareDecimals(value, lt) >= 0) return false
  return lte === undefined || compareDecimals(value, lte) <= 0
}
