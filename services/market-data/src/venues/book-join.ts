import type { L2Record } from '../store/record.ts'
import { compareNanoseconds } from '../nanoseconds.ts'
import type { Applied, BookSnapshot, BookUpdate, JoinRule } from './book-messages.ts'
import { gapRecord, NO_TIME, snapshotRecord, updateRecord } from './book-records.ts'

export type JoinCounts = {
  snapshots: number
  updates: number
  dropped: number
  gaps: number
  waiting: number
  unusable: number
}

export type JoinOptions = {
  /** Bits of `flags` for every record. */
  flags?: number
  rule?: JoinRule
  /** Applies a message to the book; returns the reason if the book is wrong afterwards. */
  apply?: (message: BookSnapshot | BookUpdate, type: 'snapshot' | 'update') => string | undefined
}

export type BookJoin = {
  snapshot: (snapshot: BookSnapshot) => L2Record[]
  update: (update: BookUpdate) => L2Record[]
  /** Continues a stored book: the next update must follow this id. */
  continueAfter: (lastUpdateId: number) => void
  /** Ends the validity of the book, as when the connection is lost: at most one gap. Buffered updates are discarded. */
  invalidate: (reason: string, tsRecv: string) => L2Record[]
  isValid: () => boolean
  counts: () => JoinCounts
}

/**
 * buffering: no valid book. joining: a snapshot was applied, its first update has not arrived yet. synced: update by
 * update.
 */
type State = { name: 'buffering' } | (Applied & { tsEvent: string })

/** Maximum number of updates buffered without a snapshot; the oldest are dropped first. */
const BUFFER_MAX = 20_000

/** Spot updates have ranges of ids; ids of futures have holes, so their updates refer to the previous one. */
export const BINANCE_RULE: JoinRule = {
  hasIds: true,
  placeOf({ firstId, lastId, previousId }, { name, lastId: applied }) {
    if (lastId <= applied) return 'old'
    if (previousId !== undefined)
      return previousId === applied || (name === 'joining' && firstId <= applied) ? 'next' : 'gap'
    return (name === 'joining' ? firstId <= applied + 1 : firstId === applied + 1) ? 'next' : 'gap'
  },
}

type Join = Required<JoinOptions> & { counts: JoinCounts; state: State; buffer: BookUpdate[] }

/**
 * Joins snapshots and updates of one book: drops updates up to the snapshot's id; the first one must cover the next id,
 * and each further one must follow the last. Otherwise one gap is reported, then nothing until the next usable snapshot.
 */
export function createBookJoin({
  flags = 0,
  rule = BINANCE_RULE,
  apply = () => undefined,
}: JoinOptions = {}): BookJoin {
  const counts: JoinCounts = { snapshots: 0, updates: 0, dropped: 0, gaps: 0, waiting: 0, unusable: 0 }
  const join: Join = { flags, rule, apply, counts, state: { name: 'buffering' }, buffer: [] }
  return {
    snapshot: (snapshot) => takeSnapshot(join, snapshot),
    update: (update) => takeUpdate(join, update),
    continueAfter(lastUpdateId) {
      if (join.state.name === 'buffering' && join.buffer.length === 0)
        join.state = { name: 'synced', lastId: lastUpdateId, tsEvent: NO_TIME }
    },
    invalidate(reason, tsRecv) {
      join.buffer = []
      return endValidity(join, reason, { tsRecv })
    },
    isValid: () => join.state.name !== 'buffering',
    counts: () => ({ ...counts, waiting: join.buffer.length }),
  }
}

function takeUpdate(join: Join, update: BookUpdate): L2Record[] {
  const { state, counts, flags, rule } = join
  if (state.name === 'buffering') return wait(join, update)
  const place = rule.placeOf(update, state)
  if (place === 'old') {
    counts.dropped += 1
    return []
  }
  if (place === 'gap') {
    join.buffer = [update]
    return endValidity(join, 'update_ids_missing', update)
  }
  const fault = join.apply(update, 'update')
  if (fault !== undefined) return endValidity(join, fault, update)
  const record = updateRecord(update, { previousId: state.lastId, flags, rule })
  counts.updates += 1
  join.state = { name: 'synced', lastId: update.lastId, tsEvent: update.tsEvent }
  return [record]
}

function wait({ buffer }: Join, update: BookUpdate): L2Record[] {
  if (buffer.length === BUFFER_MAX) buffer.shift()
  buffer.push(update)
  return []
}

function takeSnapshot(join: Join, snapshot: BookSnapshot): L2Record[] {
  const { state, counts, flags, rule } = join
  const { lastUpdateId } = snapshot
  if (state.name !== 'buffering' && lastUpdateId < state.lastId) return []
  if (!isUsable(join, snapshot)) {
    counts.unusable += 1
    return []
  }
  counts.snapshots += 1
  const waiting = join.buffer
  join.buffer = []
  const tsEvent = timeOfSnapshot(snapshot, waiting)
  join.state = { name: 'joining', lastId: lastUpdateId, tsEvent }
  const records = [snapshotRecord({ ...snapshot, tsEvent }, flags, rule)]
  for (const update of waiting) records.push(...takeUpdate(join, update))
  return records
}

function isUsable({ buffer, rule, apply }: Join, snapshot: BookSnapshot): boolean {
  const applied: Applied = { name: 'joining', lastId: snapshot.lastUpdateId }
  const first = buffer.map((update) => rule.placeOf(update, applied)).find((place) => place !== 'old')
  return first !== 'gap' && apply(snapshot, 'snapshot') === undefined
}

function endValidity(join: Join, reason: string, { tsEvent, tsRecv, firstId }: GapAt): L2Record[] {
  const { state, flags, rule } = join
  if (state.name === 'buffering') return []
  join.counts.gaps += 1
  join.state = { name: 'buffering' }
  return [gapRecord(state, { reason, tsEvent: tsEvent ?? state.tsEvent, tsRecv, firstId, flags, rule })]
}

type GapAt = { tsEvent?: string; tsRecv: string; firstId?: number }

/**
 * Records are read by event time, so that a snapshot may not be later than the updates that follow it. A requested
 * snapshot without a venue time has the clock of this machine, which may be ahead of the venue's.
 */
function timeOfSnapshot({ tsEvent, lastUpdateId }: BookSnapshot, waiting: readonly BookUpdate[]): string {
  const same = waiting.find(({ lastId }) => lastId === lastUpdateId)
  if (same !== undefined) return earlier(tsEvent, same.tsEvent)
  const next = waiting.find(({ lastId }) => lastId > lastUpdateId)
  return next === undefined ? tsEvent : earlier(tsEvent, next.tsEvent)
}

function earlier(one: string, other: string): string {
  return compareNanoseconds(one, other) <= 0 ? one : other
}
