import type pg from 'pg'
import type { ChannelName } from '../tables.ts'
import { SEALED_COLUMNS, type SealedColumns, type SealedFile, sealedFileOf } from './manifest-queries.ts'

/** A file, named by the first of its days that is current. */
export type NamedFile = SealedFile & {
  venue: string
  symbol: string
  sealedAt: Date
  /** Days whose current rows are in the file. */
  days: readonly number[]
}
export type FileSelection = {
  venue?: string | undefined
  symbol?: string | undefined
  channel?: ChannelName | undefined
  /** Days, both inclusive. */
  from?: number | undefined
  to?: number | undefined
  limit: number
  /** Files beyond this place of the order (last day, instrument, channel). */
  after?: FilePlace | undefined
}
export type FilePlace = { lastDay: number; instrumentId: number; channel: ChannelName }
type NamedColumns = SealedColumns & { venue: string; symbol: string; sealed_at: Date; days: number[] | null }

const NAMED_COLUMNS = `${SEALED_COLUMNS.split(/,\s+/)
  .map((column) => `f.${column}`)
  .join(', ')}, f.sealed_at, i.venue, i.symbol, shared.days`
const NAMED_FILES = `sealed_file f join instrument i using (instrument_id)
  left join lateral (
    select array_agg(s.day order by s.day) as days from sealed_file s
    where s.object_key = f.object_key and s.instrument_id = f.instrument_id and s.channel = f.channel
      and (s.superseded_at is null) = (f.superseded_at is null)) as shared on f.file_rows is not null`

function namedFileOf(row: NamedColumns): NamedFile {
  const { venue, symbol, day } = row
  return { ...sealedFileOf(row), venue, symbol, sealedAt: row.sealed_at, days: row.days ?? [day] }
}

export function placeOfFile({ days, instrumentId, ref }: NamedFile): FilePlace {
  return { lastDay: Math.max(...days), instrumentId, channel: ref.channel }
}

const DAYS_OF_MONTH = 31
const LAST_DAY = 'coalesce(shared.days[cardinality(shared.days)], f.day)'

/**
 * Current files in the order (last day, instrument, channel): when days are merged into one file between two pages, it
 * comes after them, so that a day may be listed again but is not skipped.
 */
export async function listNamedFiles(pool: pg.Pool, selection: FileSelection): Promise<NamedFile[]> {
  const { venue, symbol, channel, from, to, limit, after } = selection
  const { rows } = await pool.query<NamedColumns>({
    text: `select ${NAMED_COLUMNS} from ${NAMED_FILES}
           where f.superseded_at is null and (shared.days is null or f.day = shared.days[1])
             and ($1::text is null or i.venue = $1) and ($2::text is null or i.symbol = $2)
             and ($3::text is null or f.channel = $3)
             and ($4::integer is null or f.day >= $4
                  or (f.day > $4 - ${DAYS_OF_MONTH} and exists (
                    select from unnest(shared.days) as one (day) where one.day between $4 and coalesce($5, one.day))))
             and ($5::integer is null or f.day <= $5)
             and ($6::integer is null or (${LAST_DAY}, f.instrument_id, f.channel) > ($6, $7::integer, $8::text))
           order by ${LAST_DAY}, f.instrument_id, f.channel limit $9`,
    values: [venue, symbol, channel, from, to, after?.lastDay, after?.instrumentId, after?.channel, limit],
  })
  return rows.map(namedFileOf)
}

/** A current file, or one that was superseded and is still kept. */
export async function findNamedFile(pool: pg.Pool, fileId: string): Promise<NamedFile | undefined> {
  const { rows } = await pool.query<NamedColumns>({
    text: `select ${NAMED_COLUMNS} from ${NAMED_FILES} where f.file_id = $1`,
    values: [fileId],
  })
  return rows[0] && namedFileOf(rows[0])
}
