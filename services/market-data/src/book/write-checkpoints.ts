import type { Deps } from '../deps.ts'
import type { RegisteredInstrument } from '../instruments/instrument.ts'
import { inTransaction } from '../lake/in-transaction.ts'
import type { Stores } from '../lake/reading/list-stored-rows.ts'
import type { Manifest } from '../lake/reading/manifest.ts'
import { findChannelState } from '../lake/sealing/seal-queries.ts'
import { compareNanoseconds, NANOSECONDS_MAX } from '../nanoseconds.ts'
import { hasRowsAfter, lockChannel } from '../store/store-queries.ts'
import type { BookEvent } from './book-event.ts'
import { type Checkpoint, insertCheckpoint } from './book-queries.ts'
import type { OrderBook } from './order-book.ts'
import { findPosition, findReopened, lockPart, movePart, type UnexaminedPart } from './position-queries.ts'
import type { BookOf } from './read-book.ts'
import { beginReplay } from './replay-forward.ts'

/** Events and levels between two checkpoints: about 5 ms to read and apply. */
const COST_MAX = 4_000
/** Large reads: a sealed file is decoded by blocks. */
const EVENTS_PER_READ = 2_000
/** Places for a checkpoint; an unknown book has none there. */
const PLACES_PER_BATCH = 20
/** Bounds one pass over a book; the next one continues. */
const BATCHES_PER_PASS = 10
const DEPTH_ALL = Number.MAX_SAFE_INTEGER

/**
 * Writes the checkpoints of all books that have changed since the last call. Returns their number.
 * @throws AggregateError with the failures, after all books
 */
export function createCheckpointWriter(deps: Deps): () => Promise<number> {
  const examined = new Map<number, number>()
  return async () => {
    const failures: unknown[] = []
    let written = 0
    for (const instrument of await deps.instruments.list()) {
      const { instrumentId, channels } = instrument
      const { rows } = channels.l2_event
      if (rows === 0 || examined.get(instrumentId) === rows) continue
      try {
        const pass = await writeCheckpoints(deps, instrument)
        written += pass.written
        if (pass.isDone) examined.set(instrumentId, rows)
      } catch (error) {
        failures.push(error)
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, `no checkpoints of ${failures.length} books`)
    return written
  }
}

type Pass = { written: number; isDone: boolean }

/** The newest events first: a book at the present time needs their checkpoints. */
async function writeCheckpoints({ pool, lake }: Stores, instrument: RegisteredInstrument): Promise<Pass> {
  // An examined part is not examined again, so a day that was imported a moment ago must be listed.
  const days: Manifest['days'] = (query) => lake.manifest.days({ ...query, isFresh: true })
  const stores = { pool, lake: { ...lake, manifest: { days } } }
  const newest = await writeParts(stores, instrument, findPosition)
  if (!newest.isDone) return newest
  const reopened = await writeParts(stores, instrument, findReopened)
  return { written: newest.written + reopened.written, isDone: reopened.isDone }
}

type FindPart = (pool: Stores['pool'], instrumentId: number) => Promise<UnexaminedPart | undefined>

async function writeParts(stores: Stores, instrument: RegisteredInstrument, findPart: FindPart): Promise<Pass> {
  const { instrumentId } = instrument
  let written = 0
  for (let batch = 0; batch < BATCHES_PER_PASS; batch += 1) {
    const before = await findChannelState(stores.pool, instrumentId, 'l2_event')
    const part = await findPart(stores.pool, instrumentId)
    if (part === undefined) return { written, isDone: true }
    const { checkpoints, through } = await nextCheckpoints(stores, instrument, part)
    const to = through === undefined ? part.until : String(BigInt(through) + 1n)
    if (to === undefined) return { written, isDone: true }
    const isMoved = await inTransaction(stores.pool, async (client) => {
      // Writers lock this row too, so nothing is stored while the events are compared with those that were read.
      await lockChannel(client, instrumentId, 'l2_event')
      if (!(await lockPart(client, instrumentId, part))) return false
      const stored = { instrumentId, channel: 'l2_event', start: BigInt(part.from), end: BigInt(to) } as const
      if (await hasRowsAfter(client, { ...stored, after: before?.lastSequence ?? '0' })) return false
      for (const checkpoint of checkpoints) await insertCheckpoint(client, instrumentId, checkpoint)
      await movePart(client, instrumentId, { ...part, to })
      return true
    })
    if (!isMoved) return { written, isDone: false }
    written += checkpoints.length
  }
  return { written, isDone: false }
}

type Batch = {
  checkpoints: Checkpoint[]
  /** The time up to which the book was examined; undefined if no checkpoint is needed in the rest of the part. */
  through: string | undefined
}

/** A checkpoint is taken between two moments: after all events of one, before the first event of the next. */
async function nextCheckpoints(stores: Stores, of: BookOf, { from, until }: UnexaminedPart): Promise<Batch> {
  const { book, sequencer, events } = await beginReplay(stores, of, BigInt(from))
  const end = until === undefined ? NANOSECONDS_MAX : BigInt(until)
  const batch: Batch = { checkpoints: [], through: undefined }
  let [cost, places] = [0, 0]
  let last: string | undefined
  /** True if the batch is complete. */
  const endPlace = (through: string, checkpoint?: Checkpoint): boolean => {
    batch.through = through
    if (checkpoint !== undefined) batch.checkpoints.push(checkpoint)
    cost = 0
    places += 1
    return places === PLACES_PER_BATCH
  }
  const endPlaceBefore = (effectiveTs: string, following: () => readonly BookEvent[]): boolean => {
    if (cost < COST_MAX || last === undefined || last === effectiveTs) return false
    const awaited = awaitedAt(last, following())
    return awaited !== undefined && endPlace(last, checkpointOf(book, last, awaited))
  }
  for await (const ready of events(end, EVENTS_PER_READ)) {
    for (const [index, { event, effectiveTs }] of ready.entries()) {
      const following = () => [...ready.slice(index).map((next) => next.event), ...sequencer.waiting()]
      if (endPlaceBefore(effectiveTs, following)) return batch
      book.apply(event)
      cost += 1 + event.bids.length + event.asks.length
      last = effectiveTs
    }
  }
  return batch
}

/**
 * The events of this time or earlier among those that belong after it. Undefined if one of them opens a book: checkpoints
 * from its time on stay when older events are stored late, so they must not depend on them.
 */
function awaitedAt(throughTs: string, following: readonly BookEvent[]): BookEvent[] | undefined {
  const awaited = following.filter(({ tsEvent }) => compareNanoseconds(tsEvent, throughTs) <= 0)
  return awaited.every(({ type }) => type === 'update') ? awaited : undefined
}

function checkpointOf(book: OrderBook, throughTs: string, awaited: readonly BookEvent[]): Checkpoint | undefined {
  const [place, opening] = [book.place(), book.opening()]
  if (book.status() !== 'known' || place === undefined || opening === undefined) return undefined
  const times = [String(BigInt(throughTs) + 1n), ...awaited.map(({ tsEvent }) => tsEvent)]
  const [resumeTs = throughTs] = times.toSorted(compareNanoseconds)
  const sequences = new Set(awaited.map(({ sequence }) => sequence))
  const levels = book.top(DEPTH_ALL)
  return { opening, place, levels, depthLimit: book.depthLimit(), throughTs, resumeTs, awaited: sequences }
}
