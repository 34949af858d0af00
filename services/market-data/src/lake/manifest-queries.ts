import type pg from 'pg'
import type { ChannelName } from '../tables.ts'
import type { FileRef } from './files/open-file.ts'

/** A row of the manifest: the file with all rows of one day, and perhaps those of other days of its month. */
export type SealedFile = {
  fileId: string
  instrumentId: number
  day: number
  revision: number
  /** Number of rows of the day. */
  rows: number
  /** Number of rows in the file. */
  fileRows: number
  isShared: boolean
  sha256: string
  tsMin: string
  tsMax: string
  sequenceMax: string
  isHotDropped: boolean
  ref: FileRef
}

export type SealedColumns = {
  file_id: string
  instrument_id: number
  channel: ChannelName
  day: number
  revision: number
  object_key: string
  row_count: string
  file_rows: string | null
  bytes: string
  sha256: string
  tail_bytes: number
  tail_sha256: string
  ts_min: string
  ts_max: string
  sequence_max: string
  hot_dropped_at: string | null
}

export const SEALED_COLUMNS = `file_id, instrument_id, channel, day, revision, object_key, row_count, file_rows, bytes,
  sha256, tail_bytes, tail_sha256, ts_min, ts_max, sequence_max, hot_dropped_at`

export function sealedFileOf(row: SealedColumns): SealedFile {
  return {
    fileId: row.file_id,
    instrumentId: row.instrument_id,
    day: row.day,
    revision: row.revision,
    rows: Number(row.row_count),
    fileRows: Number(row.file_rows ?? row.row_count),
    isShared: row.file_rows !== null,
    sha256: row.sha256,
    tsMin: row.ts_min,
    tsMax: row.ts_max,
    sequenceMax: row.sequence_max,
    isHotDropped: row.hot_dropped_at !== null,
    ref: {
      channel: row.channel,
      key: row.object_key,
      bytes: Number(row.bytes),
      tailBytes: row.tail_bytes,
      tailSha256: row.tail_sha256,
    },
  }
}

export type SealedRange = { channel: ChannelName; instrumentIds: readonly number[]; fromDay: number; limit: number }

const INT32_MIN = -(2 ** 31)

/** Current files from a day on, in the direction of the read. */
export async function listSealedFiles(
  pool: pg.Pool | pg.ClientBase,
  { channel, instrumentIds, fromDay, limit }: SealedRange,
  direction: 'asc' | 'desc',
): Promise<SealedFile[]> {
  const { rows } = await pool.query<SealedColumns>({
    // A named statement, prepared once per connection: planning takes longer than reading.
    name: `sealed-files-${direction}`,
    // By instrument, so that the index gives the first days without those that follow.
    text: `select ${SEALED_COLUMNS} from unnest($1::integer[]) as wanted (id) cross join lateral (
             select * from sealed_file
             where instrument_id = wanted.id and channel = $2 and superseded_at is null
               and day ${direction === 'asc' ? '>=' : '<='} $3
             order by day ${direction} limit $4) as found
           order by day ${direction}, instrument_id limit $4`,
    values: [instrumentIds, channel, fromDay, limit],
  })
  return rows.map(sealedFileOf)
}

/** The instrument's current files of a channel by day, or undefined if there are more than `limit`. */
export async function listAllSealedFiles(
  pool: pg.Pool,
  { channel, instrumentId, limit }: { channel: ChannelName; instrumentId: number; limit: number },
): Promise<SealedFile[] | undefined> {
  const selection = { channel, instrumentIds: [instrumentId], fromDay: INT32_MIN, limit: limit + 1 }
  const files = await listSealedFiles(pool, selection, 'asc')
  return files.length > limit ? undefined : files
}

/**
 * A digest that changes when the current files of an instrument's channel, or the manifest's data about one of them,
 * change.
 */
export async function digestSealedFiles(
  pool: pg.Pool,
  { channel, instrumentId }: { channel: ChannelName; instrumentId: number },
): Promise<string> {
  const { rows } = await pool.query<{ digest: string }>({
    name: 'sealed-files-digest',
    text: `select concat_ws(' ', count(*), count(hot_dropped_at), bit_xor(uuid_hash_extended(file_id, 0))) as digest
           from sealed_file where instrument_id = $1 and channel = $2 and superseded_at is null`,
    values: [instrumentId, channel],
  })
  return rows[0]?.digest ?? ''
}
