import { DuckDBInstance } from '@duckdb/node-api'
import { canonicalDecimal } from '../../src/decimal.ts'
import type { ChannelName } from '../../src/tables.ts'
import type { FileRow } from '../../src/lake/files/layout.ts'

const LIST = (name: string) =>
  `list_transform(list_zip(${name}_price, ${name}_size), level -> [level[1]::varchar, level[2]::varchar])`

const COLUMNS: Record<ChannelName, string> = {
  trade: `sequence, ts_event, coalesce(ts_recv, ts_event), flags, side, side_source, has_trade_id, price, size, source_id,
    conditions`,
  l2_event: `sequence, ts_event, coalesce(ts_recv, ts_event), flags, type, book_epoch, to_json(${LIST('bids')}),
    to_json(${LIST('asks')}), depth_limit, source_id, venue_first_id, venue_last_id, venue_prev_id, gap_reason, gap_from_ts`,
}
const DECIMALS = ['DECIMAL(18']

/** The rows of Parquet files as another engine reads them, in the form of a FileRow. */
export async function readWithDuckDb(channel: ChannelName, files: string): Promise<FileRow[]> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
  const connection = await instance.connect()
  try {
    const result = await connection.runAndReadAll(
      `select ${COLUMNS[channel]} from read_parquet('${files}') order by ts_event, sequence`,
    )
    const types = result.columnTypes().map(String)
    return result.getRowsJson().map((row) =>
      row.map((value, column) =>
        textOf(
          value,
          DECIMALS.some((name) => types[column]?.startsWith(name)),
        ),
      ),
    )
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

function textOf(value: unknown, isDecimal: boolean): string | null {
  if (value === null) return null
  if (typeof value === 'boolean') return value ? 't' : 'f'
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (isDecimal) return canonicalDecimal(text) ?? text
  return text.startsWith('[') ? canonicalLevels(text) : text
}

function canonicalLevels(json: string): string {
  const levels: string[][] = JSON.parse(json)
  return JSON.stringify(levels.map((level) => level.map((decimal) => canonicalDecimal(decimal) ?? decimal)))
}
