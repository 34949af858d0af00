import type { ChannelName } from '../../tables.ts'

/** One row of a file: the columns of its table without the instrument, as PostgreSQL's text; null is null. */
export type FileRow = readonly (string | null)[]

/**
 * What a file's rows have in common and its columns depend on. A scale is the number of decimals with which every value
 * fits an INT64; undefined where one does not fit or is not canonical, and the column is text then.
 */
export type Traits = {
  priceScale: number | undefined
  sizeScale: number | undefined
  hasNumericIds: boolean
  /** Columns with one value in all rows: its text, null for null. They are stored, and need not be decoded. */
  constants?: ReadonlyMap<string, string | null>
  /** No row was received at the time of its event, so that the column has no nulls. */
  hasReceiveTimes?: boolean
  /** For book events, used by the writer; a reader derives it from the columns. */
  hasNumericVenueIds?: boolean
}

export type ColumnKind =
  | 'int64'
  /** A time that usually equals the event time; null if it does. */
  | 'receive-time'
  | 'int32'
  | 'boolean'
  | 'price'
  | 'size'
  | 'id'
  | 'venue-id'
  /** Mostly distinct values. */
  | 'text'
  /** Few distinct values. */
  | 'word'
  | 'levels'

/** A levels column becomes two Parquet columns, `<name>_price` and `<name>_size`. */
export type ColumnSpec = { name: string; kind: ColumnKind; isNullable?: true }

export type ChannelLayout = {
  name: string
  columns: readonly ColumnSpec[]
  rowsPerGroup: number
  /** Rows that are decoded together; divides `rowsPerGroup`. */
  rowsPerBlock: number
}

/** Name of the column of this kind. */
export const RECEIVE_TIME = 'ts_recv'

const HEAD: readonly ColumnSpec[] = [
  { name: 'sequence', kind: 'int64' },
  { name: 'ts_event', kind: 'int64' },
  { name: RECEIVE_TIME, kind: 'receive-time' },
  { name: 'flags', kind: 'int32' },
]

/** Positions in a FileRow, the same in every layout. */
export const AT = { sequence: 0, tsEvent: 1, tsRecv: 2 } as const
/** Kinds of columns that may have one value in all rows of a file. */
export const CONSTANT_KINDS: ReadonlySet<ColumnKind> = new Set(['int32', 'boolean', 'word'])
/** Position of the source id in a FileRow. */
export const SOURCE_ID_AT: Record<ChannelName, number> = { trade: 9, l2_event: 9 }

/** Columns in the order in which record-queries selects them. */
export const LAYOUTS: Record<ChannelName, ChannelLayout> = {
  trade: {
    name: 'trade/1',
    // Pages of nulls or booleans are always decoded completely, so groups are as small as their size in the footer
    // allows.
    rowsPerGroup: 16_384,
    rowsPerBlock: 2_048,
    columns: [
      ...HEAD,
      { name: 'side', kind: 'word' },
      { name: 'side_source', kind: 'word' },
      { name: 'has_trade_id', kind: 'boolean' },
      { name: 'price', kind: 'price' },
      { name: 'size', kind: 'size' },
      { name: 'source_id', kind: 'id' },
      { name: 'conditions', kind: 'word', isNullable: true },
    ],
  },
  l2_event: {
    name: 'l2_event/1',
    rowsPerGroup: 4_096,
    rowsPerBlock: 256,
    columns: [
      ...HEAD,
      { name: 'type', kind: 'word' },
      { name: 'book_epoch', kind: 'int32' },
      { name: 'bids', kind: 'levels' },
      { name: 'asks', kind: 'levels' },
      { name: 'depth_limit', kind: 'int32', isNullable: true },
      { name: 'source_id', kind: 'id' },
      { name: 'venue_first_id', kind: 'venue-id', isNullable: true },
      { name: 'venue_last_id', kind: 'venue-id', isNullable: true },
      { name: 'venue_prev_id', kind: 'venue-id', isNullable: true },
      { name: 'gap_reason', kind: 'word', isNullable: true },
      { name: 'gap_from_ts', kind: 'int64', isNullable: true },
    ],
  },
}

/** Key of the file's metadata entry that contains a `FileNotes` as JSON. */
export const NOTES_KEY = 'tapeline'

export type FileNotes = {
  layout: string
  traits: { priceScale: number | null; sizeScale: number | null; hasNumericIds: boolean }
  constants?: Record<string, string | null>
  /** CRC-32 of the bytes of each row group. */
  groupChecksums: number[]
  /** Time and sequence of the first row of each block, little-endian int64 pairs in base64. */
  blockKeys: string
}
