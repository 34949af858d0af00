/** A timeline is eight hexadecimal digits and increases with each promotion: a lower one identifies a former primary. */
export type NewestTimeline = {
  /** Highest timeline of a server that accepted writes; `''` until one was found. */
  value: () => string
  /** @param timeline of a server that accepts writes; `''` of a standby */
  record: (timeline: string) => void
  /**
   * Calls `listener` when a higher timeline is recorded.
   * @returns removes the listener
   */
  onHigher: (listener: () => void) => () => void
}

/**
 * By set of servers, for the life of the process: a former primary that answers sooner than its successor is refused.
 * Servers that were restored to a lower timeline are therefore used only after a restart of the process.
 */
const bySet = new Map<string, NewestTimeline>()

/** The newest timeline of these servers; all pools of the process share it, whatever their database and user are. */
export function newestTimelineOf(urls: readonly string[]): NewestTimeline {
  const servers = urls
    .map((url) => new URL(url).host)
    .toSorted()
    .join()
  const known = bySet.get(servers)
  if (known !== undefined) return known
  const created = createNewestTimeline()
  bySet.set(servers, created)
  return created
}

function createNewestTimeline(): NewestTimeline {
  let newest = ''
  const listeners = new Set<() => void>()
  return {
    value: () => newest,
    record(timeline) {
      if (timeline <= newest) return
      newest = timeline
      for (const listener of listeners) listener()
    },
    onHigher(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
