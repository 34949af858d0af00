import type { L2Record, Level } from '../../store/record.ts'

/** A full book as a venue gave it on request. */
export type BookSnapshot = {
  lastUpdateId: number
  tsEvent: string
  tsRecv: string
  bids: Level[]
  asks: Level[]
  depthLimit: number
}
/** A change of the book, from update `firstId` to update `lastId`. */
export type BookUpdate = {
  firstId: number
  lastId: number
  /** The last id of the update before; futures only. */
  previousId?: number | undefined
  tsEvent: string
  tsRecv: string
  bids: Level[]
  asks: Level[]
}
export type JoinCounts = {
  snapshots: number
  updates: number
  dropped: number
  gaps: number
  waiting: number
  unusable: number
}
export type BookJoin = {
  snapshot: (snapshot: BookSnapshot) => L2Record[]
  update: (update: BookUpdate) => L2Record[]
  /** Goes on after what is stored already: the next update must follow this id. */
  continueAfter: (lastUpdateId: number) => void
  counts: () => JoinCounts
}

/** buffering: no valid book. joining: a snapshot was applied, its first update is awaited. synced: update by update. */
type State =
  | { name: 'buffering' }
  | { name: 'joining'; lastId: number; tsEvent: string }
  | { name: 'synced'; lastId: number; tsEvent: string }

/** Updates kept while there is no snapshot; the oldest go first. */
const BUFFER_MAX = 20_000

/**
 * Joins snapshots and updates of one book: drops updates up to the snapshot's id; the first one must cover the next id,
 * and each further one must follow the last. Otherwise one gap is reported, then nothing until the next usable snapshot.
 */
export function createBookJoin(flags = 0): BookJoin {
  const counts: JoinCounts = { snapshots: 0, updates: 0, dropped: 0, gaps: 0, waiting: 0, unusable: 0 }
  let state: State = { name: 'buffering' }
  let buffer: BookUpdate[] = []

  function apply(update: BookUpdate): L2Record[] {
    if (state.name === 'buffering') {
      if (buffer.length === BUFFER_MAX) buffer.shift()
      buffer.push(update)
      return []
    }
    if (update.lastId <= state.lastId) {
      counts.dropped += 1
      return []
    }
    if (!isNext(update, state)) {
      const gap = gapRecord(state, update, flags)
      counts.gaps += 1
      state = { name: 'buffering' }
      buffer = [update]
      return [gap]
    }
    const record = updateRecord(update, state.lastId, flags)
    counts.updates += 1
    state = { name: 'synced', lastId: update.lastId, tsEvent: update.tsEvent }
    return [record]
  }

  return {
    snapshot(snapshot) {
      const { lastUpdateId } = snapshot
      if (state.name !== 'buffering' && lastUpdateId < state.lastId) return []
      const firstUsable = buffer.find(({ lastId }) => lastId > lastUpdateId)
      if (firstUsable !== undefined && !isNext(firstUsable, { name: 'joining', lastId: lastUpdateId })) {
        counts.unusable += 1
        return []
      }
      counts.snapshots += 1
      const waiting = buffer
      buffer = []
      state = { name: 'joining', lastId: lastUpdateId, tsEvent: snapshot.tsEvent }
      return [snapshotRecord(snapshot, flags), ...waiting.flatMap(apply)]
    },
    update: apply,
    continueAfter(lastUpdateId) {
      if (state.name === 'buffering' && buffer.length === 0)
        state = { name: 'synced', lastId: lastUpdateId, tsEvent: '0' }
    },
    counts: () => ({ ...counts, waiting: buffer.length }),
  }
}

/** Update ids of futures have holes: their updates name the one before instead. */
function isNext(update: BookUpdate, { name, lastId }: { name: 'joining' | 'synced'; lastId: number }): boolean {
  const { firstId, previousId } = update
  if (previousId !== undefined) return previousId === lastId || (name === 'joining' && firstId <= lastId)
  return name === 'joining' ? firstId <= lastId + 1 : firstId === lastId + 1
}

const NOTHING = { venueFirstId: null, venueLastId: null, venuePrevId: null, depthLimit: null, gap: null }

function snapshotRecord(snapshot: BookSnapshot, flags: number): L2Record {
  const { lastUpdateId, tsEvent, tsRecv, bids, asks, depthLimit } = snapshot
  const venueLastId = String(lastUpdateId)
  return {
    ...NOTHING,
    sourceId: `s${lastUpdateId}`,
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

function updateRecord(update: BookUpdate, previousId: number, flags: number): L2Record {
  const { firstId, lastId, tsEvent, tsRecv, bids, asks } = update
  return {
    ...NOTHING,
    sourceId: String(lastId),
    type: 'update',
    tsEvent,
    tsRecv,
    bids,
    asks,
    venueFirstId: String(firstId),
    venueLastId: String(lastId),
    venuePrevId: String(previousId),
    flags,
  }
}

/** Stands at the update that showed it. */
function gapRecord(state: { lastId: number; tsEvent: string }, update: BookUpdate, flags: number): L2Record {
  const { firstId, tsEvent, tsRecv } = update
  return {
    ...NOTHING,
    sourceId: `g${state.lastId}-${firstId}`,
    type: 'gap',
    tsEvent,
    tsRecv,
    bids: [],
    asks: [],
    venueFirstId: String(firstId),
    venuePrevId: String(state.lastId),
    flags,
    gap: { reason: 'update_ids_missing', fromTs: state.tsEvent === '0' ? null : state.tsEvent },
  }
}
