import type { RegisteredInstrument } from '../instruments/instrument.ts'
import { findLatestRow } from '../lake/reading/find-latest-row.ts'
import { listStoredRows, type Stores } from '../lake/reading/list-stored-rows.ts'
import type { Filter } from '../records/filter.ts'
import type { ChannelName } from '../tables.ts'
import type { FeedStore } from './live-feed.ts'
import { FIRST_POSITION, type Position, positionOfRow } from './position.ts'
import { listLastSequences, listRowsBySequence } from './tail-queries.ts'

const ASCENDING: Filter = { order: 'asc', time_format: 'unix_ns' }
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
    const latest = await findLatestRow(stores, { ...id, through: lastSequence })
    return latest === undefined ? FIRST_POSITION : positionOfRow(latest)
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
