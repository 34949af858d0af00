import type { BarClock } from '../../bars/bar-clock.ts'
import type { Row } from '../../records/record-queries.ts'
import type { Feed } from '../live-feed.ts'
import { positionOfRow } from '../position.ts'

/** A larger number of corrected bars is an import of older data and is not tracked. */
const CORRECTIONS_MAX = 1_000

/** Tracks which bars of one instrument were sent. Times in nanoseconds. */
export class BarTrack {
  readonly feed: Feed
  /** Bars that begin earlier were sent after they had closed. */
  position: bigint
  /** The earliest bar at or after the position that has new trades. */
  newsFrom: bigint | undefined
  /** Bars sent before they closed, by start, with their end and the text sent. */
  readonly forming = new Map<bigint, { end: bigint; text: string }>()
  /** Starts of changed bars before the position. */
  readonly corrections = new Set<bigint>()
  private readonly clock: BarClock
  private readonly first: bigint

  /** Bars that begin before `first` are not part of the subscription. */
  constructor(feed: Feed, clock: BarClock, { position, first }: { position: bigint; first: bigint }) {
    this.feed = feed
    this.clock = clock
    this.position = position
    this.first = first
  }

  /** Records the bars of new trades. Returns the number of trades whose bars exceed the limit. */
  note(rows: readonly Row[]): number {
    let omitted = 0
    let start = 0n
    let end = 0n
    for (const row of rows) {
      const time = BigInt(positionOfRow(row).tsEvent)
      if (time < start || time >= end) {
        start = this.clock.startOf(time)
        end = this.clock.endOf(start)
      }
      if (!this.noteBar(start)) omitted += 1
    }
    return omitted
  }

  noteNews(start: bigint): void {
    if (this.newsFrom === undefined || start < this.newsFrom) this.newsFrom = start
  }

  private noteBar(start: bigint): boolean {
    if (start >= this.position) this.noteNews(start)
    else if (start >= this.first) {
      if (this.corrections.size === CORRECTIONS_MAX && !this.corrections.has(start)) return false
      this.corrections.add(start)
    }
    return true
  }

  /** Everything that begins before `place` was read; bars that are still forming or have changed keep the position from advancing. */
  advance(place: bigint): void {
    let resume = this.newsFrom === undefined || place < this.newsFrom ? place : this.newsFrom
    for (const start of this.forming.keys()) if (start < resume && start >= this.position) resume = start
    if (resume > this.position) this.position = resume
  }
}
