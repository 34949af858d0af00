import type { Deps } from '../deps.ts'
import { nanosecondsOf } from '../nanoseconds.ts'
import type { Row } from '../records/record-queries.ts'
import { FeedBlock, type Message, type Portion, portionsOf, type View } from './feed-block.ts'
import type { FeedReader } from './feed-reader.ts'
import type { Feed } from './live-feed.ts'
import type { SubscriptionParameters } from './open-subscription.ts'
import type { Pace } from './read-up-to-now.ts'
import type { RunningSubscription } from './running-subscription.ts'
import { comparePositions, laterOf, type Position, RECENT_NS } from './position.ts'
import { signPositions } from './stream-cursor.ts'

/** The connection of a subscription. */
export type Output = {
  /** Whether one more message may be sent; if too many are unsent, the connection ends with the current cursors. */
  hasRoom: () => boolean
  send: (message: Message) => void
}
/** The source of a subscription's records, and their rendering. */
export type Source = {
  view: View
  /** Sends stored records after each place until the feeds can continue. */
  readUpToNow: (subscription: Subscription, pace: Pace) => Promise<void>
  /** State of the cursor in addition to the positions. */
  cursorState?: () => unknown
}
export type SubscriptionOptions = {
  deps: Pick<Deps, 'cursorKey' | 'now'>
  parameters: SubscriptionParameters
  output: Output
  channelName: string
  source: Source
}

/** One subscription: its position in each instrument, and the records of its feeds to send. */
export class Subscription implements RunningSubscription {
  readonly parameters: SubscriptionParameters
  readonly view: View
  readonly readers = new Map<number, FeedReader>()
  isLive = false
  /** Late rows received while the store is being read, and the last sequence of each feed before them. */
  private late: { rows: LateRows[]; sequences: ReadonlyMap<number, number> } | undefined
  private readonly deps: SubscriptionOptions['deps']
  private readonly source: Source
  private readonly output: Output
  private readonly idJson: string
  private readonly channelName: string
  private readonly sharedKey: string
  private isEnded = false

  constructor({ deps, parameters, output, channelName, source }: SubscriptionOptions) {
    const { id, filter, limit, retainedFrom, hasHistory } = parameters
    this.deps = deps
    this.source = source
    this.parameters = parameters
    this.output = output
    this.channelName = channelName
    this.idJson = JSON.stringify(id)
    this.view = source.view
    this.sharedKey = JSON.stringify([id, filter, limit, retainedFrom, hasHistory])
  }

  readUpToNow(pace: Pace): Promise<void> {
    return this.source.readUpToNow(this, pace)
  }

  positions(): [number, Position][] {
    return [...this.readers].map(([instrumentId, { position }]) => [instrumentId, position])
  }

  cursor(): string {
    const state = this.source.cursorState?.()
    return signPositions(this.deps.cursorKey, this.parameters, { positions: this.continuingPositions(), state })
  }

  /** The position of an instrument without records advances with the clock if the account cannot continue from an older one. */
  private continuingPositions(): [number, Position][] {
    if (!this.isLive || this.parameters.hasHistory) return this.positions()
    const recent = String(nanosecondsOf(this.deps.now()) - RECENT_NS)
    return [...this.readers].map(([instrumentId, { feed, position }]) => {
      const hasAll = comparePositions(position, feed.tail) >= 0
      return [instrumentId, hasAll ? laterOf(position, { ...position, tsEvent: recent }) : position]
    })
  }

  end(): void {
    this.isEnded = true
    for (const { feed } of this.readers.values()) feed.listeners.delete(this)
  }

  hasEnded(): boolean {
    return this.isEnded
  }

  onBlock(feed: Feed, block: FeedBlock): void {
    const reader = this.readers.get(feed.instrumentId)
    if (!this.isLive || reader === undefined || this.isEnded) return
    if (reader.isBefore(block.rows[0] ?? [])) this.sendParts(reader, block.rows)
    else this.sendBlock(reader, block)
    reader.clearAhead()
  }

  onLate(feed: Feed, rows: readonly Row[], omitted: number): void {
    if (this.late !== undefined) this.late.rows.push({ feed, rows, omitted })
    else this.sendLate(feed, rows, omitted)
  }

  /**
   * Late rows wait from now on, because the store's answer may already contain them. Returns the last sequence of each
   * feed when that began.
   */
  bufferLate(): ReadonlyMap<number, number> {
    this.late ??= {
      rows: [],
      sequences: new Map([...this.readers].map(([id, { feed }]) => [id, feed.lastSequence])),
    }
    return this.late.sequences
  }

  releaseLate(): void {
    const queued = this.late?.rows ?? []
    this.late = undefined
    for (const { feed, rows, omitted } of queued) this.sendLate(feed, rows, omitted)
  }

  canJoin(): boolean {
    return [...this.readers.values()].every(({ feed, position }) => comparePositions(feed.ring.from, position) <= 0)
  }

  /** Continues with the feeds' records after each position; false if a feed no longer has all of them. */
  joinFeeds(): boolean {
    if (!this.canJoin()) return false
    const readers = [...this.readers.values()]
    // The ring buffer also contains late rows after the position.
    this.releaseLate()
    this.isLive = true
    for (const reader of readers) this.joinFeed(reader)
    return true
  }

  private joinFeed(reader: FeedReader): void {
    for (const block of reader.feed.ring.after(reader.position)) {
      // Records before the place were read from the store.
      const rows = block.rows.filter((row) => !reader.isBefore(row))
      if (rows.length > 0) this.sendBlock(reader, rows.length === block.rows.length ? block : new FeedBlock(rows))
    }
  }

  /** A portion of a page of the store. `sequences`: as returned by `bufferLate` before the page was read. */
  sendStored(rows: readonly Row[], portion: Portion, sequences: ReadonlyMap<number, number>): void {
    for (const row of rows.slice(portion.from, portion.to)) {
      const id = Number(row[0])
      this.readers.get(id)?.addStored(row, sequences.get(id) ?? 0)
    }
    this.output.send(this.batch(portion))
  }

  private sendBlock(reader: FeedReader, block: FeedBlock): void {
    const isShared = this.readers.size === 1
    for (const [index, portion] of block.portions(this.view).entries()) {
      if (!this.output.hasRoom()) return
      reader.position = portion.reached
      const make = () => this.batch(portion)
      this.output.send(isShared ? block.message(`${index} ${this.sharedKey}`, make) : make())
    }
    reader.position = block.last
  }

  /** Rows, some of them before the current position. */
  private sendParts(reader: FeedReader, rows: readonly Row[]): void {
    const fresh = rows.filter((row) => !reader.isBefore(row))
    this.sendLate(reader.feed, rows, 0)
    if (fresh.length > 0) this.sendBlock(reader, new FeedBlock(fresh))
  }

  private sendLate(feed: Feed, rows: readonly Row[], omitted: number): void {
    const reader = this.readers.get(feed.instrumentId)
    if (reader === undefined || this.isEnded) return
    const { matches, renderNow } = this.view
    const late = rows.filter((row) => reader.isBefore(row) && reader.isLate(row) && (matches?.(row) ?? true))
    if (late.length === 0 && omitted === 0) return
    const portions = late.length === 0 ? [{ json: '' }] : portionsOf(late, renderNow())
    for (const [index, { json }] of portions.entries()) {
      if (!this.output.hasRoom()) return
      const dropped = index === portions.length - 1 ? omitted : 0
      const text = `"channel":"${this.channelName}","data":[${json}],"omitted":${dropped}}`
      this.output.send({ type: 'late', json: `{"type":"late","id":${this.idJson},${text}` })
    }
  }

  private batch({ json, from, to }: Portion): Message {
    const cursor = this.cursor()
    const text = `{"type":"${this.channelName}","id":${this.idJson},"data":[${json}],"cursor":"${cursor}"}`
    return { type: this.channelName, json: text, cursor, records: to - from }
  }
}

type LateRows = { feed: Feed; rows: readonly Row[]; omitted: number }
