import type { MessageBoundary } from './message-boundary.ts'

const LINE_FEED = 0x0a

/** Server-sent events: an empty line ends each, and lines end with LF. */
export class EventBoundary implements MessageBoundary {
  messages = 0
  isBetween = true
  /** Events have no message for it. */
  readonly isEnded = true
  private last = LINE_FEED

  take(chunk: Buffer): void {
    for (let at = 0; at < chunk.length;) {
      const end = this.takeEvent(chunk, at)
      if (end === -1) return
      at = end
    }
  }

  takeToBoundary(chunk: Buffer): number {
    return this.takeEvent(chunk, 0)
  }

  private takeEvent(chunk: Buffer, from: number): number {
    for (let at = chunk.indexOf(LINE_FEED, from); at !== -1; at = chunk.indexOf(LINE_FEED, at + 1)) {
      const before = at === 0 ? this.last : chunk[at - 1]
      if (before !== LINE_FEED) continue
      this.messages += 1
      this.isBetween = true
      this.last = LINE_FEED
      return at + 1
    }
    if (from < chunk.length) this.isBetween = false
    this.last = chunk[chunk.length - 1] ?? this.last
    return -1
  }
}
