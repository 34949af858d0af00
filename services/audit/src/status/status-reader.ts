import type { PlatformStatus } from '@tapeline/contracts/audit/status'
import type { Deps } from '../deps.ts'
import { showStatus } from './show-status.ts'

const CACHED_MS = 10_000

/** Reads the status at most once per ten seconds, regardless of the number of requests. */
export function createStatusReader(deps: Pick<Deps, 'db' | 'now' | 'settings'>): () => Promise<PlatformStatus> {
  let reading: { status: Promise<PlatformStatus>; atMs: number } | undefined
  return () => {
    const nowMs = deps.now().getTime()
    if (reading !== undefined && Math.abs(nowMs - reading.atMs) < CACHED_MS) return reading.status
    const current = { status: showStatus(deps), atMs: nowMs }
    // A failure is not cached: the next request reads again.
    current.status.catch(() => {
      if (reading === current) reading = undefined
    })
    reading = current
    return current.status
  }
}
