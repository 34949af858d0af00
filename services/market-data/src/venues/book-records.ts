import type { L2Record } from '../store/record.ts'
import type { BookSnapshot, BookUpdate, JoinRule } from './book-messages.ts'

/** For a book that continues a stored one, the time of its last update is unknown. */
export const NO_TIME = '0'

const NOTHING = { venueFirstId: null, venueLastId: null, venuePrevId: null, depthLimit: null, gap: null }

export function snapshotRecord(snapshot: BookSnapshot, flags: number, { hasIds }: JoinRule): L2Record {
  const { lastUpdateId, tsEvent, tsRecv, bids, asks, depthLimit } = snapshot
  const venueLastId = hasIds ? String(lastUpdateId) : null
  return {
    ...NOTHING,
    sourceId: `s${hasIds ? lastUpdateId : tsRecv}`,
    type: 'snapshot',
    tsEvent,
    tsRecv,
    bids,
    asks,
    depthLimit,
    venueLastId,
    flags,
  }
}

type Origin = { previousId: number; flags: number; rule: JoinRule }

export function updateRecord(update: BookUpdate, { previousId, flags, rule }: Origin): L2Record {
  const { firstId, lastId, tsEvent, tsRecv, bids, asks } = update
  const start = { ...NOTHING, type: 'update', tsEvent, tsRecv, bids, asks, flags: flags | (update.flags ?? 0) } as const
  if (!rule.hasIds) return { ...start, sourceId: `u${tsRecv}` }
  return {
    ...start,
    sourceId: String(lastId),
    venueFirstId: String(firstId),
    venueLastId: String(lastId),
    venuePrevId: String(previousId),
  }
}

type GapOf = {
  reason: string
  tsEvent: string
  tsRecv: string
  firstId: number | undefined
  flags: number
  rule: JoinRule
}

/** The gap is placed at the update that revealed it, or at the last one before a lost connection. */
export function gapRecord(state: { lastId: number; tsEvent: string }, gap: GapOf): L2Record {
  const { reason, tsEvent, tsRecv, firstId, flags, rule } = gap
  const isShownById = rule.hasIds && firstId !== undefined
  return {
    ...NOTHING,
    sourceId: isShownById ? `g${state.lastId}-${firstId}` : `g${tsRecv}`,
    type: 'gap',
    tsEvent: tsEvent === NO_TIME ? tsRecv : tsEvent,
    tsRecv,
    bids: [],
    asks: [],
    venueFirstId: isShownById ? String(firstId) : null,
    venuePrevId: rule.hasIds ? String(state.lastId) : null,
    flags,
    gap: { reason, fromTs: state.tsEvent === NO_TIME ? null : state.tsEvent },
  }
}
