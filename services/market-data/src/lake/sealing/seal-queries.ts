import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { dayStart } from '../../nanoseconds.ts'
import type { ChannelState } from '../../store/store-queries.ts'
import type { ChannelName } from '../../tables.ts'
import type { FileRow } from '../files/layout.ts'
import { LAYOUTS } from '../files/layout.ts'
import type { WrittenFile } from '../files/write-file.ts'
import { SEALED_COLUMNS, type SealedColumns, type SealedFile, sealedFileOf } from '../manifest-queries.ts'
import { copyLines } from './copy-lines.ts'

export type ChannelDay = { instrumentId: number; channel: ChannelName; day: number }

/** What a day holds, as far as a later change to it would show. */
export type DayCounts = FileCounts & { sequence_sum: string | null }
export type FileCounts = {
  row_count: string
  ts_min: string | null
  ts_max: string | null
  sequence_min: string | null
  sequence_max: string | null
}

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

/** The rows of a day in the order of a file. */
export function copyDay(client: pg.ClientBase, day: ChannelDay): AsyncGenerator<FileRow> {
  const [instrumentId, start, end] = rangeOf(day)
  const { channel } = day
  // A bare name after ORDER BY would mean the output column; COPY takes no parameters.
  const stream = client.query(
    copyTo(`copy (select ${columnsOf(channel)} from ${channel}
      where instrument_id = ${instrumentId} and ts_event >= ${start} and ts_event < ${end}
      order by ${channel}.ts_event, ${channel}.sequence) to stdout`),
  )
  return copyLines(stream)
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

/** The commit point of a seal; revisions of a day are numbered from 1. */
export async function insertSealedFile(client: pg.ClientBase, sealed: NewSealedFile): Promise<void> {
  const { instrumentId, channel, day, key, file, counts } = sealed
  await client.query({
    text: `insert into sealed_file (instrument_id, channel, day, revision, object_key, layout, row_count, bytes, sha256,
             tail_bytes, tail_sha256, ts_min, ts_max, sequence_min, sequence_max)
           select $1, $2, $3, coalesce(max(revision), 0) + 1, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14
           from sealed_file where instrument_id = $1 and channel = $2 and day = $3`,
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
}

/** A file whose rows never were in PostgreSQL. */
export async function markNeverHot(client: pg.ClientBase, { instrumentId, channel, day }: ChannelDay): Promise<void> {
  await client.query({
    text: `update sealed_file set hot_dropped_at = sealed_at
           where instrument_id = $1 and channel = $2 and day = $3 and superseded_at is null`,
    values: [instrumentId, channel, day],
  })
}

/** Whether a day has rows, in PostgreSQL or in a current file. */
export async function isDayOccupied(client: pg.ClientBase | pg.Pool, day: ChannelDay): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>({
    text: `select exists (select from ${day.channel} where instrument_id = $1 and ts_event >= $2 and ts_event < $3)
             or exists (select from sealed_file where instrument_id = $1 and channel = $4 and day = $5
                        and superseded_at is null) as found`,
    values: [...rangeOf(day), day.channel, day.day],
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

export type SealedGap = { tsEvent: string; sequence: string; reason: string | null; fromTs: string | null }

export async function insertSealedGap(client: pg.ClientBase, instrumentId: number, gap: SealedGap): Promise<void> {
  await client.query({
    text: `insert into sealed_gap (instrument_id, ts_event, sequence, gap_reason, gap_from_ts)
           values ($1, $2, $3, $4, $5) on conflict do nothing`,
    values: [instrumentId, gap.tsEvent, gap.sequence, gap.reason, gap.fromTs],
  })
}

/** The gaps of a day of books, which answers name after its rows have left the table. */
export async function insertSealedGaps(client: pg.ClientBase, day: ChannelDay): Promise<void> {
  await client.query({
    text: `insert into sealed_gap (instrument_id, ts_event, sequence, gap_reason, gap_from_ts)
           select instrument_id, ts_event, sequence, gap_reason, gap_from_ts from l2_event
           where instrument_id = $1 and ts_event >= $2 and ts_event < $3 and type = 'g'
           on conflict do nothing`,
    values: rangeOf(day),
  })
}

/**
 * Days of a partition that can be sealed: wholly before the time up to which their channel is complete, or before
 * `before` where nothing says how far it is complete.
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
