const FAILURES_TO_OPEN = 5
const OPEN_MS = 1_000

export type Breaker = {
  /** False while open; one probe is let through per second. */
  allows: (nowMs: number) => boolean
  succeeded: () => void
  failed: (nowMs: number) => void
}

/** Opens after five failures in a row, then lets one call a second through until one succeeds. */
export function createBreaker(): Breaker {
  let failures = 0
  let nextProbeMs = 0
  return {
    allows(nowMs) {
      if (failures < FAILURES_TO_OPEN) return true
      if (nowMs < nextProbeMs) return false
      nextProbeMs = nowMs + OPEN_MS
      return true
    },
    succeeded() {
      failures = 0
    },
    failed(nowMs) {
      failures += 1
      if (failures === FAILURES_TO_OPEN) nextProbeMs = nowMs + OPEN_MS
    },
  }
}
