import type { RegisteredInstrument } from '../instruments/instrument.ts'
import { listStoredRows, type Stores } from '../lake/reading/list-stored-rows.ts'
import type { Key } from '../records/cursor.ts'
import type { Filter } from '../records/filter.ts'
import type { ChannelName } from '../tables.ts'
import type { FeedStore } from './live-feed.ts'
import { FIRST_POSITION, type Position, positionOfRow } from './position.ts'
import { listLastSequences, listRowsBySequence } from './tail-queries.ts'

const ASCENDING: Filter = { order: 'asc', time_format: 'unix_ns' }
const DESCENDING: Filter = { order: 'desc', time_format: 'unix_ns' }
/** Only one row: with a higher limit, sealed days would be read too if later days have few rows. */
const LATEST = { limit: 1, scanMax: 100 }
/** How far back late records are searched. */
const LATE_NS = 3_600_000_000_000n

/** The store of one channel, sealed days and hot ones. */
export function createFeedStore(
  stores: Stores,
  channel: ChannelName,
  { instrumentId }: RegisteredInstrument,
): FeedStore {
  const id = { channel, instrumentId }
  const findLastSequence = async () => (await listLastSequences(stores.pool, [id]))[0] ?? 0
  const readAfter = async (position: Position, limit: number) => {
    const scan = { channel, instrumentIds: [instrumentId], filter: ASCENDING, after: { ...position, instrumentId } }
    const { rows, frontier } = await listStoredRows(stores, scan, { limit, scanMax: limit })
    return { rows, next: frontier ?? (rows.length < limit ? undefined : positionOfRow(rows.at(-1) ?? [])) }
  }
  /** Records that were stored after `lastSequence` was read do not count. */
  const findLatest = async (lastSequence: number): Promise<Position> => {
    const through = new Map([[instrumentId, String(lastSequence)]])
    const scan = { channel, instrumentIds: [instrumentId], filter: DESCENDING, through }
    for (let after: Key | undefined, isFirst = true; isFirst || after !== undefined; isFirst = false) {
      const { rows, frontier } = await listStoredRows(stores, { ...scan, after }, LATEST)
      const [latest] = rows
      if (latest !== undefined) return positionOfRow(latest)
      after = frontier
    }
    return FIRST_POSITION
  }
  return {
    findLastSequence,
    async findEnd() {
      const lastSequence = await findLastSequence()
      return { lastSequence, latest: lastSequence === 0 ? FIRST_POSITION : await findLatest(lastSequence) }
    },
    readAfter,
    readLate({ after, through, until, limit }) {
      const earliest = BigInt(until.tsEvent) - LATE_NS
      const from = String(earliest > 0n ? earliest : 0n)
      return listRowsBySequence(stores.pool, { ...id, after, through, from, to: until.tsEvent, limit })
    },
  }
}
