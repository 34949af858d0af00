import { bookEventOf } from '../../book/book-event.ts'
import type { OrderBook } from '../../book/order-book.ts'
import { beginReplay } from '../../book/replay-forward.ts'
import { DISPLACED_NS, type SequencedEvent, type Sequencer } from '../../book/sequencer.ts'
import type { RegisteredInstrument } from '../../instruments/instrument.ts'
import type { Stores } from '../../lake/reading/list-stored-rows.ts'
import { NANOSECONDS_MAX } from '../../nanoseconds.ts'
import type { Row } from '../../records/record-queries.ts'
import type { FeedBlock } from '../feed-block.ts'
import type { Feed, FeedListener } from '../live-feed.ts'
import { comparePositions, FIRST_POSITION, laterOf, type Position, positionOfRow, sequenceOfRow } from '../position.ts'
import { type BookChannel, depthOf } from './book-channel.ts'
import { wholeBook } from './book-changes.ts'
import { type BookObserver, observerOf } from './book-view.ts'
import { DerivedFeed } from './derived-feed.ts'

export type BookFeedOptions = {
  stores: Stores
  instrument: RegisteredInstrument
  /** Joins the feed of the book's events; they reach the listener from then on. */
  joinEvents: (listener: FeedListener) => Promise<Feed>
  onFailure: (error: unknown) => void
}

type LiveBook = { book: OrderBook; sequencer: Sequencer; observers: Map<BookChannel, BookObserver> }

const EVENTS_PER_READ = 250
const DEPTH_ALL = Number.MAX_SAFE_INTEGER
/** Maximum number of pending events; beyond it, they are read from the store. */
const WAITING_MAX = 20_000

/**
 * The live book of one instrument and its derived channels, shared by all subscriptions of the process. Events are
 * applied in the order of their sequences; if an event stays missing, the store is read.
 */
export class BookFeed implements FeedListener {
  readonly opened: Promise<void>
  private readonly options: BookFeedOptions
  private readonly derived = new Map<BookChannel, DerivedFeed>()
  private events: Feed | undefined
  private live: LiveBook | undefined
  /** Events that cannot be applied yet, by sequence. */
  private readonly waiting = new Map<number, Row>()
  private isLoading = true
  /** Set if the book must be loaded again: the number of late events that are not in its channels. */
  private omitted: number | undefined
  private lastSequence = 0
  private reached: Position = FIRST_POSITION

  constructor(options: BookFeedOptions) {
    this.options = options
    this.opened = this.open()
  }

  /** Call only after `opened` has resolved. */
  feedOf(channel: BookChannel): DerivedFeed {
    const existing = this.derived.get(channel)
    if (existing !== undefined) return existing
    const { instrumentId } = this.options.instrument
    const feed = new DerivedFeed({
      channel,
      instrumentId,
      start: { lastSequence: this.lastSequence, reached: this.reached },
      wholeBook: (place) => this.live && wholeBook(this.live.book, { instrumentId, depth: depthOf(channel), place }),
    })
    this.derived.set(channel, feed)
    this.live?.observers.set(channel, observerOf(channel, this.live.book, instrumentId))
    return feed
  }

  isUsed(): boolean {
    return this.isLoading || [...this.derived.values()].some(({ listeners }) => listeners.size > 0)
  }

  /** Leaves the feed of the events. */
  close(): void {
    this.events?.listeners.delete(this)
  }

  onBlock(_feed: Feed, block: FeedBlock): void {
    this.add(block.rows)
  }

  /** Events of an older time belong to an older book; the store decides whether they change this one. */
  onLate(_feed: Feed, rows: readonly Row[], omitted: number): void {
    const earliest = BigInt(this.reached.tsEvent) - DISPLACED_NS
    const unread = omitted + rows.filter((row) => BigInt(positionOfRow(row).tsEvent) < earliest).length
    if (unread > 0) this.omitted = (this.omitted ?? 0) + unread
    this.add(rows)
  }

  private async open(): Promise<void> {
    this.events = await this.options.joinEvents(this)
    this.reached = this.events.tail
    try {
      await this.load()
    } catch (error) {
      this.close()
      throw error
    }
    this.isLoading = false
    this.applyWaiting()
  }

  private add(rows: readonly Row[]): void {
    for (const row of rows) {
      if (sequenceOfRow(row) > this.lastSequence) this.waiting.set(sequenceOfRow(row), row)
    }
    if (this.waiting.size > WAITING_MAX) {
      this.omitted ??= 0
      this.waiting.clear()
    }
    this.applyWaiting()
  }

  private applyWaiting(): void {
    const { live } = this
    if (live === undefined || this.isLoading) return
    if (this.omitted === undefined) this.applyTo(live)
    if (this.omitted !== undefined) void this.reload()
  }

  private applyTo(live: LiveBook): void {
    const rows = new Map<BookChannel, Row[]>()
    for (;;) {
      const row = this.waiting.get(this.lastSequence + 1)
      if (row === undefined) break
      this.waiting.delete(this.lastSequence + 1)
      this.lastSequence += 1
      // Every event before this one in sequence was pushed or read from the store: none waits.
      const ready = [...live.sequencer.push(bookEventOf(row)), ...live.sequencer.release(NANOSECONDS_MAX)]
      for (const sequenced of ready) this.apply(live, sequenced, rows)
    }
    const { lastSequence, reached } = this
    for (const [channel, feed] of this.derived) feed.deliver({ rows: rows.get(channel) ?? [], lastSequence, reached })
  }

  private apply({ book, observers }: LiveBook, sequenced: SequencedEvent, rows: Map<BookChannel, Row[]>): void {
    if (comparePositions(placeOf(sequenced), this.reached) <= 0) {
      // It belongs before events that were applied already.
      this.omitted = (this.omitted ?? 0) + 1
      return
    }
    if (!book.apply(sequenced.event)) return
    this.reached = placeOf(sequenced)
    for (const [channel, observe] of observers) {
      const row = observe(sequenced)
      if (row === undefined) continue
      const found = rows.get(channel)
      if (found === undefined) rows.set(channel, [row])
      else found.push(row)
    }
  }

  private async reload(): Promise<void> {
    this.isLoading = true
    const omitted = this.omitted ?? 0
    this.omitted = undefined
    try {
      await this.load()
      if (omitted > 0) this.derived.get('bbo')?.announceLate([], omitted)
      this.isLoading = false
      this.applyWaiting()
    } catch (error) {
      // The next event tries again.
      this.omitted ??= omitted
      this.isLoading = false
      this.options.onFailure(error)
    }
  }

  /** Reads the book from the store, with its changes after the current position. */
  private async load(): Promise<void> {
    const { stores, instrument } = this.options
    const { instrumentId } = instrument
    const stored = this.events?.lastSequence ?? 0
    const before = this.live?.book
    const { book, sequencer, quotes, reached } = await readBeyond(stores, instrument, this.reached)
    this.reached = reached
    this.lastSequence = Math.max(this.lastSequence, stored, Number(book.place()?.sequence ?? 0))
    for (const sequence of this.waiting.keys()) if (sequence <= this.lastSequence) this.waiting.delete(sequence)
    const channels = [...this.derived.keys()]
    const observers = new Map(channels.map((channel) => [channel, observerOf(channel, book, instrumentId)]))
    this.live = { book, sequencer, observers }
    this.deliverLoaded(quotes, before)
  }

  /** Quotes continue; a book that has changed starts with a snapshot, because the changes in between are unknown. */
  private deliverLoaded(quotes: readonly Row[], before: OrderBook | undefined): void {
    const { lastSequence, reached } = this
    for (const [channel, feed] of this.derived) {
      const isSame = channel === 'bbo' || isSameBook(before, this.live?.book, depthOf(channel))
      const whole = isSame ? undefined : feed.wholeBook(reached)
      const rows = channel === 'bbo' ? quotes : [whole ?? []].filter(({ length }) => length > 0)
      feed.deliver({ rows, lastSequence, reached })
    }
  }
}

/** Late updates may change a book and not its last event. */
function isSameBook(one: OrderBook | undefined, other: OrderBook | undefined, depth: number | undefined): boolean {
  const [state, otherState] = [one, other].map((book) =>
    JSON.stringify([String(book?.place()?.sequence), book?.status(), book?.top(depth ?? DEPTH_ALL)]),
  )
  return state === otherState
}

/** The stored book, and its quotes after a position. */
async function readBeyond(stores: Stores, instrument: RegisteredInstrument, from: Position) {
  const { book, sequencer, events } = await beginReplay(stores, instrument, BigInt(from.tsEvent))
  const observe = observerOf('bbo', book, instrument.instrumentId)
  const quotes: Row[] = []
  let reached = from
  for await (const ready of events(NANOSECONDS_MAX, EVENTS_PER_READ)) {
    for (const sequenced of ready) {
      if (!book.apply(sequenced.event)) continue
      const row = observe(sequenced)
      if (comparePositions(placeOf(sequenced), from) <= 0) continue
      if (row !== undefined) quotes.push(row)
      reached = laterOf(reached, placeOf(sequenced))
    }
  }
  return { book, sequencer, quotes, reached }
}

/** The position of an event in the order of a book's changes. */
export function placeOf({ event, effectiveTs }: SequencedEvent): Position {
  return { tsEvent: effectiveTs, sequence: String(event.sequence) }
}
