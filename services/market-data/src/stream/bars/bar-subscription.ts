import type { BarInterval } from '@tapeline/contracts/market-data/bars'
import type { Logger } from '@tapeline/service/logger'
import { clockOf, type TimeSpec } from '../../bars/bar-spec.ts'
import type { BarClock } from '../../bars/bar-clock.ts'
import { finalityOf } from '../../bars/finality.ts'
import { readTimeBars } from '../../bars/list-bars.ts'
import { presentBar } from '../../bars/render-bar.ts'
import { type FoundBars, type InstrumentBar, type TimeBarRange, timeBarRange } from '../../bars/time-bar-range.ts'
import type { Deps } from '../../deps.ts'
import type { RegisteredInstrument } from '../../instruments/instrument.ts'
import { nanosecondsOf } from '../../nanoseconds.ts'
import type { Key } from '../../records/cursor.ts'
import type { Row } from '../../records/record-queries.ts'
import { formatTimeAs } from '../../records/render-record.ts'
import type { FeedBlock } from '../feed-block.ts'
import type { Feed } from '../live-feed.ts'
import type { SubscriptionParameters } from '../open-subscription.ts'
import { RECENT_NS } from '../position.ts'
import { type Pace, UNPACED } from '../read-up-to-now.ts'
import type { RunningSubscription } from '../running-subscription.ts'
import { nowNanoseconds } from '../stream-view.ts'
import type { Output } from '../subscription.ts'
import { beginOf, changedBars, keyBefore, placeOf, signTracks, type Unread } from './bar-places.ts'
import { BarTrack } from './bar-track.ts'

export type BarSubscriptionOptions = {
  deps: Deps
  parameters: SubscriptionParameters
  output: Output
  logger: Logger
  interval: BarInterval
}

const EVERY_MS = 1_000
const BARS_PER_PAGE = 500
const BARS_PER_MESSAGE = 100
const CORRECTIONS_PER_ROUND = 100

/**
 * Time bars as they form. Live trades determine which bars have changed; these are read from the store, at most once a
 * second, and sent if they differ from the last state sent. The cursor is that of the list call of bars.
 */
export class BarSubscription implements RunningSubscription {
  readonly parameters: SubscriptionParameters
  isLive = false
  private readonly options: BarSubscriptionOptions
  private readonly spec: TimeSpec
  private readonly channel: string
  private readonly clock: BarClock
  private readonly tracks = new Map<number, BarTrack>()
  private timer: NodeJS.Timeout | undefined
  private isReading = false
  private isEnded = false

  constructor(options: BarSubscriptionOptions) {
    this.options = options
    this.parameters = options.parameters
    this.spec = { by: 'time', interval: options.interval, timeZone: 'UTC' }
    this.channel = `bars.${options.interval}`
    this.clock = clockOf(this.spec)
  }

  /** Called once per instrument before the subscription is read. */
  add(feed: Feed): void {
    const { filter } = this.parameters
    const position = beginOf(this.parameters, this.clock, { instrumentId: feed.instrumentId, now: this.now() })
    this.tracks.set(feed.instrumentId, new BarTrack(feed, this.clock, { position, first: BigInt(filter.start ?? '0') }))
  }

  canJoin(): boolean {
    return this.parameters.after === undefined && this.parameters.start === undefined
  }

  cursor(): string {
    return signTracks(this.options.deps.cursorKey, this.parameters, [...this.tracks.values()])
  }

  end(): void {
    this.isEnded = true
    clearInterval(this.timer)
    for (const { feed } of this.tracks.values()) feed.listeners.delete(this)
  }

  hasEnded(): boolean {
    return this.isEnded
  }

  onBlock(feed: Feed, block: FeedBlock): void {
    this.note(feed, block.rows, 0)
  }

  onLate(feed: Feed, rows: readonly Row[], omitted: number): void {
    this.note(feed, rows, omitted)
  }

  async readUpToNow(pace: Pace): Promise<void> {
    const tracks = [...this.tracks.values()]
    if (!(await this.readBars({ tracks, after: keyBefore(tracks) }, pace))) return
    this.isLive = true
    this.timer = setInterval(() => void this.readChanges(), EVERY_MS).unref()
  }

  private note(feed: Feed, rows: readonly Row[], missing: number): void {
    const omitted = missing + (this.tracks.get(feed.instrumentId)?.note(rows) ?? 0)
    if (omitted === 0 || this.isEnded || !this.options.output.hasRoom()) return
    const fields = { type: 'late', id: this.parameters.id, channel: this.channel, data: [], omitted }
    this.options.output.send({ type: 'late', json: JSON.stringify(fields) })
  }

  private async readChanges(): Promise<void> {
    if (this.isReading || this.isEnded) return
    this.isReading = true
    try {
      const always = { ...UNPACED, hasDrained: async () => this.options.output.hasRoom() }
      const recent = this.clock.startOf(this.now() - RECENT_NS)
      for (const track of this.tracks.values()) track.advance(recent)
      await this.noteClosed()
      for (const unread of changedBars(this.tracks.values())) await this.readBars(unread, always)
      await this.readCorrections()
    } catch (err) {
      if (!this.isEnded) this.options.logger.warn({ err }, 'stream: reading changed bars failed; retrying')
    } finally {
      this.isReading = false
    }
  }

  /** A closing bar is sent again even if it has no new trades. */
  private async noteClosed(): Promise<void> {
    const instruments = await this.instruments()
    const now = this.now()
    for (const [id, track] of this.tracks) {
      const instrument = instruments.get(id)
      if (instrument === undefined) continue
      for (const [start, { end }] of track.forming) {
        if (finalityOf(end, instrument, now) === 'forming') continue
        if (start >= track.position) track.noteNews(start)
        else track.corrections.add(start)
      }
    }
  }

  /** Sends the bars that were not read; false when the connection has ended. */
  private async readBars({ tracks, after }: Unread, pace: Pace): Promise<boolean> {
    const news = tracks.map((track) => ({ track, from: track.newsFrom }))
    for (const track of tracks) track.newsFrom = undefined
    try {
      for (let from = after; ;) {
        if (!(await pace.hasDrained())) return false
        const page = await pace.inTurn(() => this.readPage({ tracks, after: from }))
        if (!(await this.sendBars(page.bars, pace))) return false
        pace.onPage(page.bars.length)
        if (!page.hasMore) return !this.isEnded
        from = page.reached
        this.advance(tracks, page.reached)
      }
    } catch (error) {
      for (const { track, from } of news) if (from !== undefined) track.noteNews(from)
      throw error
    }
  }

  private readPage({ tracks, after }: Unread): Promise<FoundBars> {
    const filter = { order: 'asc', time_format: 'unix_ns' } as const
    const instrumentIds = tracks.map(({ feed }) => feed.instrumentId)
    const range = timeBarRange(this.clock, filter, { instrumentIds, after })
    return this.read(range, BARS_PER_PAGE)
  }

  private read(range: TimeBarRange, limit: number): Promise<FoundBars> {
    return readTimeBars(this.options.deps, range, { limit, spec: this.spec })
  }

  private advance(tracks: readonly BarTrack[], reached: Key | undefined): void {
    if (reached === undefined) return
    for (const track of tracks) track.advance(placeOf(this.clock, reached, track.feed.instrumentId))
  }

  private async readCorrections(): Promise<void> {
    for (const [id, { corrections }] of this.tracks) {
      for (const start of [...corrections].slice(0, CORRECTIONS_PER_ROUND)) {
        const range = { order: 'asc', time_format: 'unix_ns', start: String(start), end: String(start + 1n) } as const
        const place = { instrumentIds: [id], after: undefined }
        corrections.delete(start)
        try {
          const { bars } = await this.read(timeBarRange(this.clock, range, place), 1)
          await this.send(bars)
        } catch (error) {
          corrections.add(start)
          throw error
        }
      }
    }
  }

  private async sendBars(bars: readonly InstrumentBar[], pace: Pace): Promise<boolean> {
    // Bars before an instrument's own position were sent already: the cursor waits for the slowest instrument.
    const unsent = bars.filter(({ start, instrumentId }) => start >= (this.tracks.get(instrumentId)?.position ?? start))
    for (let from = 0; from < unsent.length; from += BARS_PER_MESSAGE) {
      if (!(await pace.hasDrained())) return false
      await this.send(unsent.slice(from, from + BARS_PER_MESSAGE))
    }
    return !this.isEnded
  }

  /** Sends bars that differ from what was sent; the cursor moves after those that have closed. */
  private async send(bars: readonly InstrumentBar[]): Promise<void> {
    const instruments = await this.instruments()
    // Before the cursor moves: if the buffer is full, the connection ends with this cursor.
    if (bars.length === 0 || this.isEnded || !this.options.output.hasRoom()) return
    const now = this.now()
    const tsOut = formatTimeAs(this.parameters.filter.time_format)(nowNanoseconds())
    const texts = bars.flatMap((bar) => {
      const instrument = instruments.get(bar.instrumentId)
      const text = instrument && this.changedText(bar, instrument, now)
      return text === undefined ? [] : [`${text.slice(0, -1)},"ts_out":"${tsOut}"}`]
    })
    if (texts.length === 0) return
    const type = this.channel
    const cursor = this.cursor()
    const head = `{"type":"${type}","id":${JSON.stringify(this.parameters.id)}`
    const json = `${head},"data":[${texts.join(',')}],"cursor":"${cursor}"}`
    this.options.output.send({ type, json, cursor, records: texts.length })
  }

  private changedText(bar: InstrumentBar, instrument: RegisteredInstrument, now: bigint): string | undefined {
    const { start, end, totals, instrumentId } = bar
    const track = this.tracks.get(instrumentId)
    const finality = finalityOf(end, instrument, now)
    const rendered = { instrument, bar: this.spec.interval, start: String(start), end: String(end), totals, finality }
    const text = JSON.stringify(presentBar(rendered, formatTimeAs(this.parameters.filter.time_format)))
    if (track === undefined || track.forming.get(start)?.text === text) return undefined
    if (finality === 'forming') track.forming.set(start, { end, text })
    else track.forming.delete(start)
    if (start >= track.position) track.advance(finality === 'forming' ? start : end)
    return text
  }

  /** The bars in their current state: finality follows how far each is complete. */
  private async instruments(): Promise<Map<number, RegisteredInstrument>> {
    const all = await this.options.deps.instruments.list()
    return new Map(all.map((instrument) => [instrument.instrumentId, instrument]))
  }

  private now(): bigint {
    return nanosecondsOf(this.options.deps.now())
  }
}
