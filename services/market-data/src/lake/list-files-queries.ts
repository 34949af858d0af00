import type pg from 'pg'
import type { ChannelName } from '../tables.ts'
import { SEALED_COLUMNS, type SealedColumns, type SealedFile, sealedFileOf } from './manifest-queries.ts'

export type NamedFile = SealedFile & { venue: string; symbol: string; sealedAt: Date }
export type FilesWanted = {
  venue?: string | undefined
  symbol?: string | undefined
  channel?: ChannelName | undefined
  /** Days, both inclusive. */
  from?: number | undefined
  to?: number | undefined
  limit: number
  /** Files beyond this place of the order (day, instrument, channel). */
  after?: { day: number; instrumentId: number; channel: ChannelName } | undefined
}
type NamedColumns = SealedColumns & { venue: string; symbol: string; sealed_at: Date }

const NAMED_COLUMNS = `${SEALED_COLUMNS.split(/,\s+/)
  .map((column) => `f.${column}`)
  .join(', ')}, f.sealed_at, i.venue, i.symbol`

function namedFileOf(row: NamedColumns): NamedFile {
  return { ...sealedFileOf(row), venue: row.venue, symbol: row.symbol, sealedAt: row.sealed_at }
}

/** Current files in the order (day, instrument, channel). */
export async function listNamedFiles(pool: pg.Pool, wanted: FilesWanted): Promise<NamedFile[]> {
  const { venue, symbol, channel, from, to, limit, after } = wanted
  const { rows } = await pool.query<NamedColumns>({
    text: `select ${NAMED_COLUMNS} from sealed_file f join instrument i using (instrument_id)
           where f.superseded_at is null
             and ($1::text is null or i.venue = $1) and ($2::text is null or i.symbol = $2)
             and ($3::text is null or f.channel = $3)
             and ($4::integer is null or f.day >= $4) and ($5::integer is null or f.day <= $5)
             and ($6::integer is null or (f.day, f.instrument_id, f.channel) > ($6, $7::integer, $8::text))
           order by f.day, f.instrument_id, f.channel limit $9`,
    values: [venue, symbol, channel, from, to, after?.day, after?.instrumentId, after?.channel, limit],
  })
  return rows.map(namedFileOf)
}

/** A current file, or one that was superseded and is still kept. */
export async function findNamedFile(pool: pg.Pool, fileId: string): Promise<NamedFile | undefined> {
  const { rows } = await pool.query<NamedColumns>({
    text: `select ${NAMED_COLUMNS} from sealed_file f join instrument i using (instrument_id) where f.file_id = $1`,
    values: [fileId],
  })
  return rows[0] && namedFileOf(rows[0])
}
