import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { dayStart } from '../../nanoseconds.ts'
import type { ChannelState } from '../../store/store-queries.ts'
import type { ChannelName } from '../../tables.ts'
import type { FileCounts, SealedGap } from '../encoding/encode-day.ts'
import { LAYOUTS } from '../files/layout.ts'
import type { WrittenFile } from '../files/write-file.ts'
import { SEALED_COLUMNS, type SealedColumns, type SealedFile, sealedFileOf } from '../manifest-queries.ts'

export type ChannelDay = { instrumentId: number; channel: ChannelName; day: number }

/** The state of a day that reveals later changes. */
export type DayCounts = FileCounts & { sequence_sum: string | null }

export async function countDay(client: pg.ClientBase, day: ChannelDay): Promise<DayCounts> {
  const { rows } = await client.query<DayCounts>({
    text: `select count(*)::text as row_count, min(ts_event)::text as ts_min, max(ts_event)::text as ts_max,
             min(sequence)::text as sequence_min, max(sequence)::text as sequence_max,
             sum(sequence)::text as sequence_sum
           from ${day.channel} where instrument_id = $1 and ts_event >= $2 and ts_event < $3`,
    values: rangeOf(day),
  })
  const [counts] = rows
  if (counts === undefined) throw new Error('count returned no row')
  return counts
}

/** The rows of a day in the order of a file, in COPY format. */
export function copyDay(client: pg.ClientBase, day: ChannelDay): AsyncIterable<Uint8Array> {
  const [instrumentId, start, end] = rangeOf(day)
  const { channel } = day
  // A bare name after ORDER BY would mean the output column; COPY takes no parameters.
  return client.query(
    copyTo(`copy (select ${columnsOf(channel)} from ${channel}
      where instrument_id = ${instrumentId} and ts_event >= ${start} and ts_event < ${end}
      order by ${channel}.ts_event, ${channel}.sequence) to stdout`),
  )
}

/** The stored columns of a FileRow, in its order. */
export function columnsOf(channel: ChannelName): string {
  return LAYOUTS[channel].columns.map(({ name }) => name).join(', ')
}

function rangeOf({ instrumentId, day }: ChannelDay): [number, bigint, bigint] {
  return [instrumentId, dayStart(day), dayStart(day + 1)]
}

export async function findSealedFile(
  client: pg.ClientBase | pg.Pool,
  day: ChannelDay,
): Promise<SealedFile | undefined> {
  const { rows } = await client.query<SealedColumns>({
    text: `select ${SEALED_COLUMNS} from sealed_file
           where instrument_id = $1 and channel = $2 and day = $3 and superseded_at is null`,
    values: [day.instrumentId, day.channel, day.day],
  })
  return rows[0] && sealedFileOf(rows[0])
}

export type NewSealedFile = ChannelDay & { key: string; file: WrittenFile; counts: FileCounts }

export type RecordedFile = {
  fileId: string
  revision: number
  sealedAt: Date
  venue: string
  symbol: string
  /** The revision before, while it is kept. */
  previous: PreviousRevision | undefined
}
export type PreviousRevision = { revision: number; rows: number; sequenceMin: string; sequenceMax: string }
type RecordedColumns = {
  file_id: string
  revision: number
  sealed_at: Date
  venue: string
  symbol: string
  previous_revision: number | null
  previous_rows: string | null
  previous_min: string | null
  previous_max: string | null
}

/** Revisions of a day are numbered from 1. */
export async function insertSealedFile(client: pg.ClientBase, sealed: NewSealedFile): Promise<RecordedFile> {
  const { instrumentId, channel, day, key, file, counts } = sealed
  const { rows } = await client.query<RecordedColumns>({
    text: `with previous as (
             select revision, row_count, sequence_min, sequence_max from sealed_file
             where instrument_id = $1 and channel = $2 and day = $3 order by revision desc limit 1),
           inserted as (
           insert into sealed_file (instrument_id, channel, day, revision, object_key, layout, row_count, bytes, sha256,
             tail_bytes, tail_sha256, ts_min, ts_max, sequence_min, sequence_max)
           select $1, $2, $3, coalesce((select revision from previous), 0) + 1, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14
           returning file_id, revision, sealed_at)
           select file_id, inserted.revision, sealed_at, venue, symbol, previous.revision as previous_revision,
             previous.row_count as previous_rows, previous.sequence_min as previous_min, previous.sequence_max as previous_max
           from inserted join instrument on instrument_id = $1 left join previous on true`,
    values: [
      instrumentId,
      channel,
      day,
      key,
      LAYOUTS[channel].name,
      counts.row_count,
      file.bytes.length,
      file.sha256,
      file.tailBytes,
      file.tailSha256,
      counts.ts_min,
      counts.ts_max,
      counts.sequence_min,
      counts.sequence_max,
    ],
  })
  const [row] = rows
  if (row === undefined) throw new Error(`there is no instrument ${instrumentId}`)
  return { fileId: row.file_id, sealedAt: row.sealed_at, ...row, previous: previousOf(row) }
}

function previousOf(row: RecordedColumns): RecordedFile['previous'] {
  const { previous_revision: revision, previous_rows: rows, previous_min: sequenceMin, previous_max: sequenceMax } = row
  if (revision === null || sequenceMin === null || sequenceMax === null) return undefined
  return { revision, rows: Number(rows), sequenceMin, sequenceMax }
}

/** A file whose rows never were in PostgreSQL. */
export async function markNeverHot(client: pg.ClientBase, { instrumentId, channel, day }: ChannelDay): Promise<void> {
  await client.query({
    text: `update sealed_file set hot_dropped_at = sealed_at
           where instrument_id = $1 and channel = $2 and day = $3 and superseded_at is null`,
    values: [instrumentId, channel, day],
  })
}

/** Whether PostgreSQL has rows of a day. */
export async function hasHotRows(client: pg.ClientBase | pg.Pool, day: ChannelDay): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>({
    text: `select exists (
             select from ${day.channel} where instrument_id = $1 and ts_event >= $2 and ts_event < $3) as found`,
    values: rangeOf(day),
  })
  return rows[0]?.found === true
}

export async function findChannelState(
  pool: pg.Pool,
  instrumentId: number,
  channel: ChannelName,
): Promise<ChannelState | undefined> {
  const { rows } = await pool.query<{ last_sequence: string; book_epoch: number }>({
    text: 'select last_sequence, book_epoch from channel where instrument_id = $1 and name = $2',
    values: [instrumentId, channel],
  })
  const [row] = rows
  return row && { lastSequence: row.last_sequence, bookEpoch: row.book_epoch }
}

export async function insertSealedGap(client: pg.ClientBase, instrumentId: number, gap: SealedGap): Promise<void> {
  await client.query({
    text: `insert into sealed_gap (instrument_id, ts_event, sequence, is_end, gap_reason, gap_from_ts)
           values ($1, $2, $3, $4, $5, $6) on conflict do nothing`,
    values: [instrumentId, gap.tsEvent, gap.sequence, gap.isEnd, gap.reason, gap.fromTs],
  })
}

/** The gaps of a day of books, for answers after its rows have been deleted from the table. */
export async function insertSealedGaps(client: pg.ClientBase, day: ChannelDay): Promise<void> {
  await client.query({
    text: `insert into sealed_gap (instrument_id, ts_event, sequence, is_end, gap_reason, gap_from_ts)
           select instrument_id, ts_event, sequence, type <> 'g', gap_reason, gap_from_ts from l2_event
           where instrument_id = $1 and ts_event >= $2 and ts_event < $3 and (type = 'g' or gap_from_ts is not null)
           on conflict do nothing`,
    values: rangeOf(day),
  })
}

/**
 * Days of a partition that can be sealed: wholly before the time up to which their channel is complete, or before
 * `before` if it is unknown how far it is complete.
 */
export async function listSealableInstruments(
  pool: pg.Pool,
  { channel, partition, day, settledNs, before }: SealableDays,
): Promise<number[]> {
  const end = dayStart(day + 1)
  const { rows } = await pool.query<{ instrument_id: number }>({
    text: `select c.instrument_id from channel c
           where c.name = $1 and coalesce(c.complete_through, $4::bigint) >= $2::bigint + $3::bigint
             and exists (select from ${partition} r where r.instrument_id = c.instrument_id)
             and not exists (select from sealed_file f where f.instrument_id = c.instrument_id and f.channel = $1
                             and f.day = $5 and f.superseded_at is null)
           order by c.instrument_id`,
    values: [channel, end, settledNs, before, day],
  })
  return rows.map((row) => row.instrument_id)
}
export type SealableDays = { channel: ChannelName; partition: string; day: number; settledNs: bigint; before: bigint }

export async function findInstrumentNames(
  pool: pg.Pool,
  instrumentId: number,
): Promise<{ venue: string; symbol: string } | undefined> {
  const { rows } = await pool.query<{ venue: string; symbol: string }>({
    text: 'select venue, symbol from instrument where instrument_id = $1',
    values: [instrumentId],
  })
  return rows[0]
}
