import { beginReplay } from '../../book/replay-forward.ts'
import type { SequencedEvent } from '../../book/sequencer.ts'
import type { RegisteredInstrument } from '../../instruments/instrument.ts'
import type { Stores } from '../../lake/reading/list-stored-rows.ts'
import { NANOSECONDS_MAX } from '../../nanoseconds.ts'
import type { Row } from '../../records/record-queries.ts'
import { comparePositions, type Position } from '../position.ts'
import { type BookChannel, depthOf } from './book-channel.ts'
import { wholeBook } from './book-changes.ts'
import { placeOf } from './book-feed.ts'
import { observerOf } from './book-view.ts'

/** Stored changes of a channel after a position. `reached`: everything up to there was read. */
export type ChangesPart = { rows: Row[]; reached: Position; isEnd: boolean }
export type ReadChanges = {
  channel: BookChannel
  instrument: RegisteredInstrument
  after: Position
  /** The client has the book at `after`: it is sent again only if the stored records result in a different book. */
  hasBook: boolean
}

const EVENTS_PER_READ = 250
const ROWS_PER_PART = 500
/** Maximum number of events per call; afterwards late rows are checked. */
const EVENTS_PER_CALL = 20_000

/** The changes of a book in their order, in parts; a channel of books begins with the whole book if necessary. */
export async function* readChanges(
  stores: Stores,
  { channel, instrument, after, hasBook }: ReadChanges,
): AsyncGenerator<ChangesPart> {
  const { instrumentId } = instrument
  const { book, events } = await beginReplay(stores, instrument, BigInt(after.tsEvent))
  const observe = observerOf(channel, book, instrumentId)
  let isBegun = channel === 'bbo'
  let rows: Row[] = []
  let reached = after
  let count = 0
  const begin = () => {
    isBegun = true
    const isSame = hasBook && String(book.place()?.sequence) === after.sequence
    const whole = isSame ? undefined : wholeBook(book, { instrumentId, depth: depthOf(channel), place: after })
    if (whole !== undefined) rows.push(whole)
  }
  const take = (sequenced: SequencedEvent) => {
    const isNew = comparePositions(placeOf(sequenced), after) > 0
    if (isNew && !isBegun) begin()
    if (!book.apply(sequenced.event)) return
    const row = observe(sequenced)
    if (!isNew) return
    if (row !== undefined) rows.push(row)
    reached = placeOf(sequenced)
  }
  for await (const ready of events(NANOSECONDS_MAX, EVENTS_PER_READ)) {
    count += 1
    for (const sequenced of ready) take(sequenced)
    if (rows.length >= ROWS_PER_PART) {
      yield { rows, reached, isEnd: false }
      rows = []
    }
    if (count >= EVENTS_PER_CALL && reached !== after) break
  }
  if (!isBegun) begin()
  yield { rows, reached, isEnd: count < EVENTS_PER_CALL }
}
