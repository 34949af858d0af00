import { writeFileSync } from 'node:fs'
import { PerformanceObserver } from 'node:perf_hooks'
import { getHeapSpaceStatistics } from 'node:v8'
import { isMainThread } from 'node:worker_threads'

/** A garbage collection: time, duration, and size of the old generation after it. */
export type Collection = { atMs: number; ms: number; isMinor: boolean; oldBytes: number }

// Loaded into the measured process before its own code; writes the collections when the process ends.

const file = process.env['GARBAGE_FILE']
const collections: Collection[] = []
if (isMainThread && file !== undefined) {
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { startTime, duration } = entry
      collections.push({
        atMs: performance.timeOrigin + startTime,
        ms: duration,
        isMinor: isMinor(entry),
        oldBytes: old(),
      })
    }
  }).observe({ entryTypes: ['gc'] })
  process.on('exit', () => writeFileSync(file, JSON.stringify(collections)))
}

function isMinor(entry: object): boolean {
  const detail: unknown = 'detail' in entry ? entry.detail : undefined
  return typeof detail === 'object' && detail !== null && 'kind' in detail && detail.kind === 1
}

function old(): number {
  return getHeapSpaceStatistics().find((space) => space.space_name === 'old_space')?.space_used_size ?? 0
}
