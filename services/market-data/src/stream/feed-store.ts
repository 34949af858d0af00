import type { KnownInstrument } from '../instruments/instrument.ts'
import { listStoredRows, type Stores } from '../lake/reading/list-stored-rows.ts'
import type { Filter } from '../records/filter.ts'
import type { ChannelName } from '../tables.ts'
import type { FeedStore } from './live-feed.ts'
import { FIRST_POSITION, type Position, positionOfRow, sequenceOfRow } from './position.ts'
import { listLastSequences, listRowsBySequence } from './tail-queries.ts'

const ASCENDING: Filter = { order: 'asc', time_format: 'unix_ns' }
const DESCENDING: Filter = { order: 'desc', time_format: 'unix_ns' }
/** How far back late records are looked for. */
const LATE_NS = 3_600_000_000_000n
/** Records that are stored between the two statements of `findEnd` make it try again. */
const END_ROWS = 100
const TRIES_MAX = 5

/** The store of one channel, sealed days and hot ones. */
export function createFeedStore(stores: Stores, channel: ChannelName, { instrumentId }: KnownInstrument): FeedStore {
  const id = { channel, instrumentId }
  const findLastSequence = async () => (await listLastSequences(stores.pool, [id]))[0] ?? 0
  const read = async (filter: Filter, after: Position | undefined, limit: number) => {
    const key = after && { ...after, instrumentId }
    const scan = { channel, instrumentIds: [instrumentId], filter, after: key }
    const { rows, frontier } = await listStoredRows(stores, scan, { limit, lookAt: limit })
    return { rows, next: frontier ?? (rows.length < limit ? undefined : positionOfRow(rows.at(-1) ?? [])) }
  }
  const findLatest = async (lastSequence: number): Promise<Position | undefined> => {
    for (let next: Position | undefined, isFirst = true; isFirst || next !== undefined; isFirst = false) {
      const page = await read(DESCENDING, next, END_ROWS)
      const latest = page.rows.find((row) => sequenceOfRow(row) <= lastSequence)
      if (latest !== undefined) return positionOfRow(latest)
      if (page.rows.length > 0) return undefined
      next = page.next
    }
    return FIRST_POSITION
  }
  return {
    findLastSequence,
    async findEnd() {
      for (let tries = 0; tries < TRIES_MAX; tries += 1) {
        const lastSequence = await findLastSequence()
        const latest = lastSequence === 0 ? FIRST_POSITION : await findLatest(lastSequence)
        if (latest !== undefined) return { lastSequence, latest }
      }
      throw new Error(`${channel} of instrument ${instrumentId} grows too fast to find its end`)
    },
    readAfter: (position, limit) => read(ASCENDING, position, limit),
    readLate({ after, through, until, limit }) {
      const earliest = BigInt(until.tsEvent) - LATE_NS
      const from = String(earliest > 0n ? earliest : 0n)
      return listRowsBySequence(stores.pool, { ...id, after, through, from, to: until.tsEvent, limit })
    },
  }
}
