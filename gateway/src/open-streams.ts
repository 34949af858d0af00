/** An answer that stays open: it is decided again from time to time, and told to end when the process stops. */
export type OpenStream = { isDone: () => boolean; decideAgain: () => void; end: () => void }

/** Together with the decision itself less than the five seconds in which an ended session's stream must be gone. */
const DECIDED_EVERY_MS = 4_000
const LOOK_EVERY_MS = 500

/** The answers without a deadline that this process holds open: how many there may be, and that each stays allowed. */
export class OpenStreams {
  private readonly open = new Map<OpenStream, number>()
  private readonly timer: NodeJS.Timeout
  private readonly max: number

  constructor(max: number) {
    this.max = max
    this.timer = setInterval(() => this.look(), LOOK_EVERY_MS)
    this.timer.unref()
  }

  isFull(): boolean {
    if (this.open.size < this.max) return false
    for (const stream of this.open.keys()) if (stream.isDone()) this.open.delete(stream)
    return this.open.size >= this.max
  }

  add(stream: OpenStream): void {
    this.open.set(stream, performance.now() + DECIDED_EVERY_MS)
  }

  stop(): void {
    clearInterval(this.timer)
    for (const stream of this.open.keys()) if (!stream.isDone()) stream.end()
    this.open.clear()
  }

  private look(): void {
    const nowMs = performance.now()
    for (const [stream, dueMs] of this.open) {
      if (stream.isDone()) this.open.delete(stream)
      else if (dueMs <= nowMs) {
        this.open.set(stream, nowMs + DECIDED_EVERY_MS)
        stream.decideAgain()
      }
    }
  }
}
