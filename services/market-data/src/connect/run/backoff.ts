const FIRST_MS = 250
const MAX_MS = 30_000
/** After working this long, a connection or book starts again with the shortest pause. */
const HEALTHY_MS = 60_000

/** Pauses that double from 250 ms to 30 s, each with 50 to 100 % random jitter so that attempts do not align. */
export type Backoff = { nextMs: () => number; succeeded: () => void }

export type BackoffOptions = { random: () => number; nowMs: () => number; firstMs?: number }

export function createBackoff({ random, nowMs, firstMs = FIRST_MS }: BackoffOptions): Backoff {
  let failures = 0
  let healthySinceMs: number | undefined
  return {
    nextMs() {
      if (healthySinceMs !== undefined && nowMs() - healthySinceMs >= HEALTHY_MS) failures = 0
      healthySinceMs = undefined
      const wholeMs = Math.min(MAX_MS, firstMs * 2 ** failures)
      failures += 1
      return (wholeMs / 2) * (1 + random())
    },
    succeeded() {
      healthySinceMs ??= nowMs()
    },
  }
}
