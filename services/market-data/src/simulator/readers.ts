import { setTimeout as delay } from 'node:timers/promises'
import { announceWorkOn, type SqlClient, type WorkSignals } from '@tapeline/database/work-signals'

const READERS_WORK = 'readers'
const ANNOUNCE_EVERY_MS = 5_000
/** Longer than the time between two announcements. */
const PRESENT_FOR_MS = 15_000

/** Announces that records are read, so that the simulator of any process produces them every second. */
export type Readers = { note: () => void }

/** Announces at most one reader every five seconds; a failure is ignored, because the simulator only becomes slower. */
export function announceReaders(client: SqlClient): Readers {
  let announcedMs = Number.NEGATIVE_INFINITY
  return {
    note() {
      const nowMs = performance.now()
      if (nowMs - announcedMs < ANNOUNCE_EVERY_MS) return
      announcedMs = nowMs
      announceWorkOn(client, READERS_WORK).catch(() => {})
    },
  }
}

export type Demand = {
  /** Whether records were read in the last 15 s; true while announcements can be lost. */
  isPresent: () => boolean
  /** Resolves after `waitMs`, when `signal` aborts, or when the first reader arrives. */
  pause: (waitMs: number, signal: AbortSignal) => Promise<void>
  end: () => void
}

/** Follows the announcements of all processes. */
export function followReaders(signals: WorkSignals): Demand {
  let readMs = performance.now()
  let arriving = new AbortController()
  const isPresent = () => !signals.isListening() || performance.now() - readMs < PRESENT_FOR_MS
  const end = signals.on(READERS_WORK, () => {
    const isFirst = !isPresent()
    readMs = performance.now()
    if (isFirst) arriving.abort()
  })
  return {
    isPresent,
    end,
    async pause(waitMs, signal) {
      arriving = new AbortController()
      await delay(waitMs, undefined, { signal: AbortSignal.any([signal, arriving.signal]) }).catch(() => undefined)
    },
  }
}
