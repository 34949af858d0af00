import { listStoredRows, type Stores } from '../lake/reading/list-stored-rows.ts'
import type { Key } from '../records/cursor.ts'
import type { Row } from '../records/record-queries.ts'
import { keyOfRow } from '../records/row-key.ts'
import type { Scan } from '../records/scan.ts'
import type { BarTrade } from './bar-totals.ts'

const ROWS_PER_READ = 2_000

/** `rows` of one read; `reached`: everything up to there was read. */
export type TradeRows = { rows: Row[]; reached: Key | undefined }

/** The trades of a range in its order, from PostgreSQL and the lake, read on demand. */
export async function* tradeRows(stores: Stores, scan: Omit<Scan, 'channel'>): AsyncGenerator<TradeRows> {
  let after = scan.after
  for (;;) {
    const limits = { limit: ROWS_PER_READ, scanMax: Number.MAX_SAFE_INTEGER }
    const { rows, frontier } = await listStoredRows(stores, { ...scan, channel: 'trade', after }, limits)
    const last = rows.at(-1)
    after = frontier ?? (last && keyOfRow(last))
    yield { rows, reached: after }
    if (after === undefined || (rows.length < ROWS_PER_READ && frontier === undefined)) return
  }
}

/** A row of a trade as record-queries selects it. */
export function tradeOfRow(row: Row): BarTrade {
  return { sequence: row[1] ?? '', tsEvent: row[2] ?? '', price: row[8] ?? '', size: row[9] ?? '' }
}
