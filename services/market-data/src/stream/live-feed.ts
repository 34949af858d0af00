import type { RegisteredInstrument } from '../instruments/instrument.ts'
import type { ChannelName } from '../tables.ts'
import type { Row } from '../records/record-queries.ts'
import { FeedBlock } from './feed-block.ts'
import { FeedRing } from './feed-ring.ts'
import type { StoredRows } from './live-message.ts'
import {
  comparePositions,
  compareRows,
  FIRST_POSITION,
  type Position,
  positionOfRow,
  sequenceOfRow,
} from './position.ts'

/** Reads a channel's store for a feed. */
export type FeedStore = {
  /** The last stored sequence and the latest place among the records up to it. */
  findEnd: () => Promise<{ lastSequence: number; latest: Position }>
  findLastSequence: () => Promise<number>
  /**
   * The next rows after a place in the order of time, at most `limit`; `next` is the place to continue from, if there
   * are more.
   */
  readAfter: (position: Position, limit: number) => Promise<{ rows: readonly Row[]; next: Position | undefined }>
  /** Rows with these sequences at or before a position; at most `limit`. */
  readLate: (range: { after: number; through: number; until: Position; limit: number }) => Promise<readonly Row[]>
}

/** The live end of one instrument's records, as subscriptions read it. */
export type Feed = {
  readonly instrumentId: number
  readonly listeners: Set<FeedListener>
  /** Every record up to this sequence has been delivered. */
  readonly lastSequence: number
  /** The latest place that has been delivered. */
  readonly tail: Position
  readonly ring: FeedRing
}
export type FeedListener = {
  onBlock: (feed: Feed, block: FeedBlock) => void
  /** Rows before the delivered position; `omitted` more of them were not read. */
  onLate: (feed: Feed, rows: readonly Row[], omitted: number) => void
}
export type FeedOptions = {
  channel: ChannelName
  instrument: RegisteredInstrument
  store: FeedStore
  onFailure: (error: unknown) => void
}

/**
 * Rows that no message delivered: `missing` of them with sequences up to `through` were not read yet. Those after
 * `until` in the order of time are read first, from `from` on.
 */
type Gap = { through: number; missing: number; until: Position; from: Position | undefined }

const QUEUE_MAX = 1_000
const ROWS_PER_READ = 500
/** A larger number of late rows is an import of older data. */
const LATE_ROWS_MAX = 1_000

/**
 * The live end of one channel of one instrument. Sequences have no gaps, so a message that does not continue the last
 * one reveals which were missed; these are read from the store. Every record reaches the listeners once.
 */
export class LiveFeed implements Feed {
  readonly channel: ChannelName
  readonly instrument: RegisteredInstrument
  readonly instrumentId: number
  readonly listeners = new Set<FeedListener>()
  readonly opened: Promise<void>
  lastSequence = 0
  tail: Position = FIRST_POSITION
  ring = new FeedRing(FIRST_POSITION)
  private readonly store: FeedStore
  private readonly onFailure: (error: unknown) => void
  /** Messages received while the store is being read. */
  private queue: StoredRows[] | undefined = []
  /** Being read, or left by a failure: the next attempt continues where this one ended. */
  private gap: Gap | undefined

  constructor({ channel, instrument, store, onFailure }: FeedOptions) {
    this.channel = channel
    this.instrument = instrument
    this.instrumentId = instrument.instrumentId
    this.store = store
    this.onFailure = onFailure
    this.opened = this.open()
  }

  accept(message: StoredRows): void {
    if (this.queue !== undefined) {
      // Messages beyond the limit are dropped; their rows are later detected as a gap and read from the store.
      if (this.queue.length < QUEUE_MAX) this.queue.push(message)
      return
    }
    const { first, last, rows } = message
    if (last <= this.lastSequence) return
    if (first > this.lastSequence + 1 || rows === undefined || this.gap !== undefined) void this.fill()
    else this.deliver(rows, last)
  }

  /** Reads missing records up to a sequence that the store is known to have. */
  expect(lastSequence: number): void {
    if (this.queue === undefined && lastSequence > this.lastSequence) void this.fill()
  }

  private async open(): Promise<void> {
    const { lastSequence, latest } = await this.store.findEnd()
    this.lastSequence = lastSequence
    this.tail = latest
    this.ring = new FeedRing(latest)
    this.acceptQueued()
  }

  private async fill(): Promise<void> {
    this.queue = []
    try {
      await this.readMissing()
    } catch (error) {
      // Queued messages would query the store again at once; the next message or comparison does that.
      this.queue = []
      this.onFailure(error)
    }
    this.acceptQueued()
  }

  private acceptQueued(): void {
    const queued = this.queue ?? []
    this.queue = undefined
    for (const message of queued) this.accept(message)
  }

  private async readMissing(): Promise<void> {
    if (this.gap !== undefined) await this.fillGap(this.gap)
    const through = await this.store.findLastSequence()
    const missing = through - this.lastSequence
    if (missing > 0) await this.fillGap({ through, missing, until: this.tail, from: this.tail })
  }

  private async fillGap(gap: Gap): Promise<void> {
    this.gap = gap
    while (gap.from !== undefined) {
      const { rows, next } = await this.store.readAfter(gap.from, ROWS_PER_READ)
      // Rows stored since then are not counted yet; they are read with the next missing ones.
      const counted = rows.filter((row) => sequenceOfRow(row) <= gap.through)
      this.push(counted)
      gap.missing -= counted.length
      gap.from = next
    }
    const late = await this.readLate(gap)
    this.lastSequence = gap.through
    this.gap = undefined
    if (gap.missing > 0) this.announceLate(late, Math.max(0, gap.missing - late.length))
  }

  private async readLate({ missing, through, until }: Gap): Promise<readonly Row[]> {
    if (missing <= 0 || missing > LATE_ROWS_MAX) return []
    return this.store.readLate({ after: this.lastSequence, through, until, limit: LATE_ROWS_MAX })
  }

  private deliver(rows: readonly Row[], last: number): void {
    const fresh = rows.filter((row) => sequenceOfRow(row) > this.lastSequence).toSorted(compareRows)
    const isLate = (row: Row) => comparePositions(positionOfRow(row), this.tail) <= 0
    const late = fresh.filter(isLate)
    this.push(late.length === 0 ? fresh : fresh.filter((row) => !isLate(row)))
    this.lastSequence = last
    if (late.length > 0) this.announceLate(late, 0)
  }

  /**
   * Call after `lastSequence` has moved beyond them. Late rows that were not read may belong in the ring buffer, so it is
   * reset.
   */
  private announceLate(rows: readonly Row[], omitted: number): void {
    if (omitted > 0) this.ring = new FeedRing(this.tail)
    else this.ring.insert(rows)
    for (const listener of this.listeners) listener.onLate(this, rows, omitted)
  }

  private push(rows: readonly Row[]): void {
    if (rows.length === 0) return
    const block = new FeedBlock(rows)
    this.ring.push(block)
    this.tail = block.last
    for (const listener of this.listeners) listener.onBlock(this, block)
    block.clearMessages()
  }
}
