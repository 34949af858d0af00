/** The last minute, and the time until its usage is final. */
const CHANGES_FOR_MS = 90_000
/** Polling interval of usage that does not change. */
export const QUIET_REFETCH_MS = 60_000

/**
 * Whether the account's usage may have changed: while its stream is disconnected, and for 90 s after the stream
 * connected or reported usage. Pages poll less often when it has not.
 */
export function createUsageActivity(nowMs: () => number) {
  let isConnected = false
  let lastMs = Number.NEGATIVE_INFINITY
  const isQuiet = (): boolean => isConnected && nowMs() - lastMs > CHANGES_FOR_MS

  /** Whether the usage was quiet before. */
  function change(next: boolean): boolean {
    const wasQuiet = isQuiet()
    isConnected = next
    lastMs = nowMs()
    return wasQuiet
  }

  return {
    /** The stream is connected or lost; true if the usage was quiet before. */
    onConnected: (next: boolean): boolean => next !== isConnected && change(next),
    /** The stream reported usage; true if the usage was quiet before. */
    onUsage: (): boolean => change(isConnected),
    /** Interval of a query that polls every `ms` milliseconds while usage may change; less often otherwise. */
    refetchEvery: (ms: number) => (): number => (isQuiet() ? QUIET_REFETCH_MS : ms),
  }
}

export const usageActivity = createUsageActivity(() => performance.now())
