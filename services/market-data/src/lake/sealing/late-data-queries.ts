import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { ChannelName } from '../../tables.ts'
import { dayOf } from '../../nanoseconds.ts'
import { SEALED_COLUMNS, type SealedColumns, type SealedFile, sealedFileOf } from '../manifest-queries.ts'
import { columnsOf } from './seal-queries.ts'

export type ChannelDays = { instrumentId: number; channel: ChannelName; days: readonly number[] }

/** Days whose rows are in a file only. */
export async function listDroppedDays(
  pool: pg.Pool,
  { instrumentId, channel, days }: ChannelDays,
): Promise<SealedFile[]> {
  const { rows } = await pool.query<SealedColumns>({
    text: `select ${SEALED_COLUMNS} from sealed_file
           where instrument_id = $1 and channel = $2 and day = any($3::integer[]) and superseded_at is null
             and hot_dropped_at is not null`,
    values: [instrumentId, channel, days],
  })
  return rows.map(sealedFileOf)
}

export async function supersedeFile(client: pg.ClientBase, fileId: string): Promise<boolean> {
  const { rowCount } = await client.query({
    text: 'update sealed_file set superseded_at = now() where file_id = $1 and superseded_at is null',
    values: [fileId],
  })
  return rowCount === 1
}

/** False if PostgreSQL no longer has the rows of the file, or it is no longer current. */
export async function supersedeHotFile(pool: pg.Pool, fileId: string): Promise<boolean> {
  const { rowCount } = await pool.query({
    text: `update sealed_file set superseded_at = now()
           where file_id = $1 and superseded_at is null and hot_dropped_at is null`,
    values: [fileId],
  })
  return rowCount === 1
}

/** Rows as lines of COPY, with their sequences. */
export async function copyRowsBack(
  client: pg.ClientBase,
  { instrumentId, ref }: SealedFile,
  lines: AsyncIterable<string>,
): Promise<void> {
  const statement = `copy ${ref.channel} (instrument_id, ${columnsOf(ref.channel)}) from stdin`
  await pipeline(Readable.from(withInstrument(lines, instrumentId)), client.query(copyFrom(statement)))
}

async function* withInstrument(lines: AsyncIterable<string>, instrumentId: number): AsyncGenerator<string> {
  for await (const line of lines) yield `${instrumentId}\t${line}\n`
}

export type NewRows = { instrumentId: number; channel: ChannelName; first: string; last: string; afterSequence: string }

/** A sealed day that receives new rows differs from its file. Returns these days. */
export async function supersedeChangedDays(
  client: pg.ClientBase,
  { instrumentId, channel, first, last, afterSequence }: NewRows,
): Promise<{ isHotDropped: boolean }[]> {
  const { rows } = await client.query<{ dropped: boolean }>({
    text: `update sealed_file f set superseded_at = now()
           where f.instrument_id = $1 and f.channel = $2 and f.superseded_at is null and f.day between $3 and $4
             and exists (select from ${channel} r where r.instrument_id = $1 and r.sequence > $5::bigint
                         and r.ts_event >= f.day::bigint * 86400000000000 and r.ts_event < (f.day + 1)::bigint * 86400000000000)
           returning hot_dropped_at is not null as dropped`,
    values: [instrumentId, channel, dayOf(first), dayOf(last), afterSequence],
  })
  return rows.map(({ dropped }) => ({ isHotDropped: dropped }))
}
