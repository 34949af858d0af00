/** The last minute, and the time until its usage is final. */
const CHANGES_FOR_MS = 90_000
/** Polling interval of usage that does not change. */
export const QUIET_REFETCH_MS = 60_000

let isOpen = false
let lastMs = 0

/**
 * The account's stream has opened (`true`) or is lost, or has reported usage (no argument). The usage may change while the stream is lost,
 * and for 90 s after each of these. Returns whether it was quiet before.
 */
export function usageMayChange(isStreamOpen?: boolean): boolean {
  if (isStreamOpen === isOpen) return false
  const wasQuiet = isQuiet()
  isOpen = isStreamOpen ?? isOpen
  lastMs = performance.now()
  return wasQuiet
}

/** Interval of a query that polls every `ms` milliseconds while usage may change, and less often otherwise. */
export function refetchEvery(ms: number): () => number {
  return () => (isQuiet() ? QUIET_REFETCH_MS : ms)
}

function isQuiet(): boolean {
  return isOpen && performance.now() - lastMs > CHANGES_FOR_MS
}
