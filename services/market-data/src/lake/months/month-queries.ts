import type pg from 'pg'
import type { ChannelName } from '../../tables.ts'
import type { WrittenFile } from '../files/write-file.ts'
import { SEALED_COLUMNS, type SealedColumns, type SealedFile, sealedFileOf } from '../manifest-queries.ts'

/** Days of one calendar month (UTC), both inclusive. */
export type ChannelMonth = { instrumentId: number; channel: ChannelName; firstDay: number; lastDay: number }
export type MonthSelection = { beforeDay: number; bytesMax: number; limit: number }

/** Months before a day that have several files, all of them without rows in PostgreSQL and small together. */
export async function listMonthsToMerge(
  pool: pg.Pool,
  { beforeDay, bytesMax, limit }: MonthSelection,
): Promise<ChannelMonth[]> {
  const { rows } = await pool.query<{ instrument_id: number; channel: ChannelName; first: number; last: number }>({
    text: `with file as (
             select instrument_id, channel, object_key, date_trunc('month', date '1970-01-01' + min(day)) as month,
               min(bytes) as bytes, bool_and(hot_dropped_at is not null) as is_dropped
             from sealed_file where superseded_at is null and day < $1
             group by instrument_id, channel, object_key)
           select instrument_id, channel, month::date - date '1970-01-01' as first,
             (month + interval '1 month')::date - date '1970-01-01' - 1 as last
           from file group by instrument_id, channel, month
           having count(*) > 1 and sum(bytes) <= $2 and bool_and(is_dropped)
             and (month + interval '1 month')::date - date '1970-01-01' <= $1
           order by month, instrument_id, channel limit $3`,
    values: [beforeDay, bytesMax, limit],
  })
  return rows.map(({ instrument_id, channel, first, last }) => {
    return { instrumentId: instrument_id, channel, firstDay: first, lastDay: last }
  })
}

export async function listFilesOfMonth(
  client: pg.ClientBase | pg.Pool,
  { instrumentId, channel, firstDay, lastDay }: ChannelMonth,
): Promise<SealedFile[]> {
  const { rows } = await client.query<SealedColumns>({
    text: `select ${SEALED_COLUMNS} from sealed_file
           where instrument_id = $1 and channel = $2 and day between $3 and $4 and superseded_at is null order by day`,
    values: [instrumentId, channel, firstDay, lastDay],
  })
  return rows.map(sealedFileOf)
}

export type MergedFile = { fileIds: readonly string[]; key: string; file: WrittenFile }

/** The next revision of each day, with the same rows in a file that all of them share. */
export async function replaceFiles(client: pg.ClientBase, { fileIds, key, file }: MergedFile): Promise<void> {
  await client.query({
    text: 'update sealed_file set superseded_at = now() where file_id = any($1::uuid[])',
    values: [fileIds],
  })
  await client.query({
    text: `insert into sealed_file (instrument_id, channel, day, revision, object_key, layout, row_count, file_rows, bytes,
             sha256, tail_bytes, tail_sha256, ts_min, ts_max, sequence_min, sequence_max, hot_dropped_at)
           select instrument_id, channel, day, revision + 1, $2, layout, row_count, $3, $4,
             $5, $6, $7, ts_min, ts_max, sequence_min, sequence_max, hot_dropped_at
           from sealed_file where file_id = any($1::uuid[])`,
    values: [fileIds, key, file.rows, file.bytes.length, file.sha256, file.tailBytes, file.tailSha256],
  })
}
