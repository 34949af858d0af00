import { COLUMNS, type Row } from '../records/record-queries.ts'
import type { ChannelName } from '../tables.ts'
import type { ChannelId } from './tail-queries.ts'

/**
 * Rows of one channel stored together: the sequences `first` to `last`, without a gap. Without `rows` they are read
 * from the store.
 */
export type StoredRows = ChannelId & { first: number; last: number; rows?: readonly Row[] }

const HEAD = /^(trade|l2_event) (\d+) (\d+) (\d+)\n/

/** A header line that is always parsed, then the rows as JSON, which are parsed only on demand. */
export function encodeStoredRows({ channel, instrumentId, first, last, rows }: StoredRows): string {
  return `${channel} ${instrumentId} ${first} ${last}\n${rows === undefined ? '' : JSON.stringify(rows)}`
}

/** `isNeeded` decides by the header whether to parse the rows; undefined if it is false or the text is not a message. */
export function decodeStoredRows(value: Buffer, isNeeded: (id: ChannelId) => boolean): StoredRows | undefined {
  const end = value.indexOf(10)
  const [head, name, instrument, first, last] = HEAD.exec(value.toString('latin1', 0, end + 1)) ?? []
  if (head === undefined) return undefined
  const id: ChannelId = { channel: name === 'trade' ? 'trade' : 'l2_event', instrumentId: Number(instrument) }
  if (!isNeeded(id)) return undefined
  const range = { ...id, first: Number(first), last: Number(last) }
  const rows = rowsOf(value.toString('utf8', end + 1), columnCount(id.channel))
  return rows?.length === range.last - range.first + 1 ? { ...range, rows } : range
}

/** Rows from a release with other columns are ignored and read from the store. */
function columnCount(channel: ChannelName): number {
  return COLUMNS[channel].split(',').length
}

function rowsOf(json: string, columns: number): Row[] | undefined {
  if (json === '') return undefined
  const rows: unknown = JSON.parse(json)
  return isRows(rows) && rows.every((row) => row.length === columns) ? rows : undefined
}

function isRows(value: unknown): value is Row[] {
  return Array.isArray(value) && value.every(Array.isArray)
}
