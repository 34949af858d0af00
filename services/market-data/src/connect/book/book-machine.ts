import { compareNanoseconds, dayOf, dayStart } from '../../nanoseconds.ts'
import { FLAGS, type L2Record } from '../../store/record.ts'
import { createBookJoin, type JoinOptions } from '../../venues/book-join.ts'
import type { BookSnapshot, BookUpdate, JoinRule } from '../../venues/book-messages.ts'
import { gapRecord } from '../../venues/book-records.ts'
import { createGapEnds, type GapEnds } from '../../venues/gap-ends.ts'
import { createPriceLevels, isCrossed } from '../../venues/price-levels.ts'
import type { BookRule } from '../feeds/feed.ts'

/**
 * connecting: no connection. joining: updates wait for a snapshot. live: every update is published. recovering: the
 * book is invalid, one gap was published, and the next snapshot is requested after a pause.
 */
export type BookPhase = 'connecting' | 'joining' | 'live' | 'recovering'

/** Records to publish; `snapshot`: request or subscribe for one now; `retry`: call `retry` after a pause. */
export type BookStep = { records: L2Record[]; wants: 'nothing' | 'snapshot' | 'retry' }

/** One book, without clock and I/O. */
export type BookMachine = {
  opened: () => BookStep
  /** The connection is lost, or its data are no longer used. */
  lost: (reason: string, tsRecv: string) => BookStep
  update: (update: BookUpdate) => BookStep
  snapshot: (snapshot: BookSnapshot) => BookStep
  /** The venue did not return the requested snapshot. */
  snapshotFailed: () => BookStep
  /** No update has arrived since the connection was opened: a quiet market also needs a snapshot. */
  quiet: () => BookStep
  retry: () => BookStep
  /** Continues the book of an earlier process, so that the time without a process is a gap. */
  resume: (stored: StoredBook, tsRecv: string) => BookStep
  phase: () => BookPhase
  gaps: () => number
}

/** The end of a stored book: it was valid up to its last event, or the gap was its last event. */
export type StoredBook = { validUntil: string } | { openGap: NonNullable<L2Record['gap']> }

type Options = { rule: BookRule; flags?: number }

export function createBookMachine({ rule, flags = 0 }: Options): BookMachine {
  const [inOrder, gapEnds] = [createTimeOrder(), createGapEnds()]
  const join = createBookJoin({ flags, rule, apply: createBookCheck(rule) })
  let phase: BookPhase = 'connecting'
  let isRequested = false

  function step(records: L2Record[], wants: BookStep['wants'] = 'nothing'): BookStep {
    return { records: records.map((record) => gapEnds.take(inOrder(record))), wants }
  }

  function want(): BookStep {
    isRequested = true
    return step([], 'snapshot')
  }

  function recover(records: L2Record[]): BookStep {
    phase = 'recovering'
    isRequested = false
    return step(records, 'retry')
  }

  return {
    opened() {
      phase = 'joining'
      // A subscription sends its snapshot without a request.
      isRequested = rule.snapshots === 'streamed'
      return step([])
    },
    lost(reason, tsRecv) {
      phase = 'connecting'
      isRequested = false
      return step(join.invalidate(reason, tsRecv))
    },
    update(update) {
      if (!join.isValid() && rule.snapshots === 'streamed') return NOTHING
      const records = join.update(update)
      if (phase === 'live' && !join.isValid()) return recover(records)
      // A snapshot can be joined only if it is newer than the first waiting update.
      return phase === 'joining' && !isRequested ? want() : step(records)
    },
    snapshot(snapshot) {
      if (phase !== 'joining' && !(phase === 'live' && rule.snapshots === 'streamed')) return NOTHING
      const records = join.snapshot(snapshot)
      if (!join.isValid()) return recover(records)
      phase = 'live'
      isRequested = false
      return step(records)
    },
    snapshotFailed: () => (phase === 'joining' ? recover([]) : NOTHING),
    quiet: () => (phase === 'joining' && !isRequested ? want() : NOTHING),
    retry() {
      if (phase !== 'recovering') return NOTHING
      phase = 'joining'
      return want()
    },
    resume: (stored, tsRecv) => step(resume(gapEnds, stored, { tsRecv, flags })),
    phase: () => phase,
    gaps: () => join.counts().gaps,
  }
}

const NOTHING: BookStep = { records: [], wants: 'nothing' }
const WITHOUT_IDS: JoinRule = { hasIds: false, placeOf: () => 'next' }

/** The gap from the last stored event on; none if the stored book ends with a gap. */
function resume(gapEnds: GapEnds, stored: StoredBook, at: { tsRecv: string; flags: number }): L2Record[] {
  if ('openGap' in stored) {
    gapEnds.open(stored.openGap)
    return []
  }
  const { validUntil } = stored
  const tsEvent = placeOf(validUntil, at.tsRecv)
  const gap = { ...at, tsEvent, reason: 'connector_restarted', firstId: undefined, rule: WITHOUT_IDS }
  return [gapRecord({ lastId: 0, tsEvent: validUntil }, gap)]
}

/** Days before yesterday may be sealed: an event in one of them would move the whole day back into PostgreSQL. */
function placeOf(validUntil: string, now: string): string {
  const today = dayOf(now)
  return dayOf(validUntil) < today - 1 ? String(dayStart(today)) : validUntil
}

type Check = NonNullable<JoinOptions['apply']>

/** Applies messages to the levels in memory; returns the reason if the book is wrong afterwards. */
function createBookCheck({ depth, checksumOf }: BookRule): Check {
  const [bids, asks] = [createPriceLevels('bids'), createPriceLevels('asks')]
  return (message, type) => {
    if (type === 'snapshot') for (const side of [bids, asks]) side.clear()
    const levels = message.venueText ?? message
    bids.apply(levels.bids)
    asks.apply(levels.asks)
    if (depth !== undefined) for (const side of [bids, asks]) side.truncate(depth)
    if (isCrossed(bids, asks)) return 'book_crossed'
    const { checksum } = message
    const isWrong = checksum !== undefined && checksumOf !== undefined && checksumOf(asks, bids) !== checksum
    return isWrong ? 'checksum_mismatch' : undefined
  }
}

/** Books are read by event time: a time before that of the previous record becomes that time, flagged. */
function createTimeOrder() {
  let last = '0'
  return (record: L2Record): L2Record => {
    if (compareNanoseconds(record.tsEvent, last) >= 0) {
      last = record.tsEvent
      return record
    }
    return { ...record, tsEvent: last, flags: record.flags | FLAGS.bad_ts_event }
  }
}
