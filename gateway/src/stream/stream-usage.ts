import type { Journaled } from '../usage/usage-journal.ts'
import type { StreamFacts } from '../usage/stream-event.ts'

export type StreamCaller = Pick<
  StreamFacts,
  'accountId' | 'keyId' | 'kid' | 'tier' | 'transport' | 'connectionId' | 'network'
>
/** Messages and bytes that one connection has delivered since it was opened. */
export type Delivered = { messages: number; bytesIn: number; bytesOut: number }
export type StreamUsageDeps = {
  journal: { isFull: () => boolean; append: (line: string, whenDone: Journaled) => void }
  line: (facts: StreamFacts) => string
  now: () => number
}

const MINUTE_MS = 60_000
/** Events per check: thousands of streams do not write theirs in one turn of the event loop. */
const EVENTS_PER_CHECK = 500

/**
 * Usage events of live streams: one per connection when a minute of the clock has passed, and one at its end. While the journal
 * is full, counts stay in memory; no streams are opened meanwhile.
 */
export class StreamUsage {
  private readonly meters = new Set<StreamMeter>()
  private isStopped = false
  private readonly deps: StreamUsageDeps

  constructor(deps: StreamUsageDeps) {
    this.deps = deps
  }

  /** Counts a connection that has been opened; `read` is also called after its end. */
  begin(caller: StreamCaller, read: () => Delivered): StreamMeter {
    const { journal, now, line } = this.deps
    const meter: StreamMeter = new StreamMeter(
      { caller, read, now, onEnd: () => this.meters.delete(meter) },
      (facts) => {
        if (journal.isFull() && !this.isStopped) return false
        journal.append(line(facts), meter)
        return true
      },
    )
    this.meters.add(meter)
    return meter
  }

  /** Writes the events that are due; called several times a second. */
  check(): void {
    const minute = Math.floor(this.deps.now() / MINUTE_MS)
    let budget = EVENTS_PER_CHECK
    for (const meter of this.meters) {
      if (budget === 0) return
      if (meter.isDue(minute) && meter.report()) budget -= 1
    }
  }

  /** The process ends: what is left is written even beyond the journal's bound. */
  stop(): void {
    this.isStopped = true
    for (const meter of this.meters) meter.report()
  }
}

type MeterDeps = { caller: StreamCaller; read: () => Delivered; now: () => number; onEnd: () => void }
type Reported = Delivered & { toMs: number }

class StreamMeter implements Journaled {
  /** Written to the journal; undefined before the first event. */
  private written: Reported | undefined
  /** Given to the journal, which has not confirmed it yet. */
  private pending: (Reported & { isEnded: boolean }) | undefined
  private endedAtMs: number | undefined
  private readonly openedAtMs: number
  private readonly deps: MeterDeps
  /** False when the journal takes nothing at the moment. */
  private readonly write: (facts: StreamFacts) => boolean

  constructor(deps: MeterDeps, write: (facts: StreamFacts) => boolean) {
    this.deps = deps
    this.write = write
    this.openedAtMs = deps.now()
  }

  /** `minute`: the current one, since 1970. */
  isDue(minute: number): boolean {
    if (this.pending !== undefined) return false
    return this.endedAtMs !== undefined || Math.floor(this.fromMs / MINUTE_MS) !== minute
  }

  /** The connection has ended: nothing more is delivered. */
  end(): void {
    if (this.endedAtMs !== undefined) return
    this.endedAtMs = this.deps.now()
    this.report()
  }

  report(): boolean {
    if (this.pending !== undefined) return false
    const { caller, read, now } = this.deps
    const { messages, bytesIn, bytesOut } = read()
    const isEnded = this.endedAtMs !== undefined
    const toMs = Math.max(this.fromMs, this.endedAtMs ?? now())
    this.pending = { messages, bytesIn, bytesOut, toMs, isEnded }
    const before = this.written ?? { messages: 0, bytesIn: 0, bytesOut: 0 }
    const isTaken = this.write({
      ...caller,
      fromMs: this.fromMs,
      toMs,
      isOpened: this.written === undefined,
      isEnded,
      messages: messages - before.messages,
      bytesIn: bytesIn - before.bytesIn,
      bytesOut: bytesOut - before.bytesOut,
    })
    if (!isTaken) this.pending = undefined
    return isTaken
  }

  /** Counts that could not be written are part of the next event. */
  onJournaled(isWritten: boolean): void {
    const { pending } = this
    this.pending = undefined
    if (!isWritten || pending === undefined) return
    this.written = pending
    if (pending.isEnded) this.deps.onEnd()
    else if (this.endedAtMs !== undefined) this.report()
  }

  private get fromMs(): number {
    return this.written?.toMs ?? this.openedAtMs
  }
}
