import type { ChannelName } from '../../tables.ts'
import type { Key } from '../../records/cursor.ts'
import type { Filter } from '../../records/filter.ts'
import type { Row } from '../../records/record-queries.ts'
import { listStoredRows, type Stores } from './list-stored-rows.ts'

const DESCENDING: Filter = { order: 'desc', time_format: 'unix_ns' }
/** Only one row: with a higher limit, sealed days would be read too if later days have few rows. */
const LATEST = { limit: 1, scanMax: 100 }

export type LatestOf = {
  channel: ChannelName
  instrumentId: number
  /** The last sequence that counts; without it, all do. */
  through?: number
}

/** The row with the latest event time, in PostgreSQL or in a sealed day; undefined if nothing is stored. */
export async function findLatestRow(
  stores: Stores,
  { channel, instrumentId, through }: LatestOf,
): Promise<Row | undefined> {
  const bound = through === undefined ? undefined : new Map([[instrumentId, String(through)]])
  const scan = { channel, instrumentIds: [instrumentId], filter: DESCENDING, through: bound }
  let after: Key | undefined
  do {
    const { rows, frontier } = await listStoredRows(stores, { ...scan, after }, LATEST)
    if (rows[0] !== undefined) return rows[0]
    after = frontier
  } while (after !== undefined)
  return undefined
}
