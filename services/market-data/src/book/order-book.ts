import type { Level } from '../store/record.ts'
import { createPriceLevels, isCrossed } from '../venues/price-levels.ts'
import type { BookEvent } from './book-event.ts'

/** Levels of one book, best first. */
export type BookLevels = { bids: Level[]; asks: Level[] }
export type BookGap = { reason: string; fromTs: string | null; toTs: string }

/** `empty`: no snapshot was applied yet. `unknown`: after a gap, until the next snapshot or clear. */
export type BookStatus = 'empty' | 'known' | 'unknown'

/** The last event that a book contains. */
export type BookPlace = { tsEvent: string; tsRecv: string; sequence: bigint; bookEpoch: number }

/** The snapshot, clear or gap that a book began with: it has only updates of later sequences. */
export type BookOpening = { tsEvent: string; sequence: bigint; bookEpoch: number }

/** A book as its events are applied, in the order of their sequences. */
export type OrderBook = {
  /** Returns false when the event did not change the book: an update without a known book before it. */
  apply: (event: BookEvent) => boolean
  status: () => BookStatus
  /** The gap that made the book unknown. */
  gap: () => BookGap | undefined
  place: () => BookPlace | undefined
  opening: () => BookOpening | undefined
  /** The best levels of each side, at most `depth`. */
  top: (depth: number) => BookLevels
  best: () => { bid: Level | undefined; ask: Level | undefined }
  isCrossed: () => boolean
  /** Number of levels on both sides. */
  size: () => number
  depthLimit: () => number | null
  /** The depth to which the book is truncated after every update without an event; undefined if it is never truncated. */
  cutDepth: () => number | undefined
}

/** A state to continue from: everything up to `place`. */
export type BookStart = { opening: BookOpening; place: BookPlace; levels: BookLevels; depthLimit: number | null }

/**
 * Venues that send no removal for a level which leaves the subscribed depth: the book is cut to the `depth_limit` of its
 * snapshot after every update. For other venues, a limit is only the depth of the snapshot.
 */
const CUTTING_VENUES: ReadonlySet<string> = new Set(['kraken'])

export function createOrderBook(venue: string, start?: BookStart): OrderBook {
  const bids = createPriceLevels('bids')
  const asks = createPriceLevels('asks')
  const isCutting = CUTTING_VENUES.has(venue)
  let status: BookStatus = start === undefined ? 'empty' : 'known'
  let place = start?.place
  let opening = start?.opening
  let depthLimit = start?.depthLimit ?? null
  let gap: BookGap | undefined
  // Best levels go to the end of the sorted arrays, so loading from the worst to the best moves nothing.
  const load = (levels: { bids: readonly Level[]; asks: readonly Level[] }) => {
    bids.apply(levels.bids.toReversed())
    asks.apply(levels.asks.toReversed())
  }
  const begin = (event: BookEvent) => {
    bids.clear()
    asks.clear()
    depthLimit = event.depthLimit
    opening = { tsEvent: event.tsEvent, sequence: event.sequence, bookEpoch: event.bookEpoch }
    status = event.type === 'gap' ? 'unknown' : 'known'
    gap = event.gap === null ? undefined : { ...event.gap, toTs: event.tsEvent }
    load(event)
  }
  if (start !== undefined) load(start.levels)

  return {
    status: () => status,
    gap: () => gap,
    place: () => place,
    opening: () => opening,
    top: (depth) => ({ bids: bids.top(depth), asks: asks.top(depth) }),
    best: () => ({ bid: bids.best(), ask: asks.best() }),
    isCrossed: () => isCrossed(bids, asks),
    size: () => bids.size() + asks.size(),
    depthLimit: () => depthLimit,
    cutDepth: () => (isCutting && depthLimit !== null ? depthLimit : undefined),
    apply(event) {
      if (event.type === 'update' && status !== 'known') return false
      const { tsEvent, tsRecv, sequence, bookEpoch } = event
      place = { tsEvent, tsRecv, sequence, bookEpoch }
      if (event.type !== 'update') begin(event)
      else {
        bids.apply(event.bids)
        asks.apply(event.asks)
      }
      if (isCutting && depthLimit !== null) {
        bids.truncate(depthLimit)
        asks.truncate(depthLimit)
      }
      return true
    },
  }
}
