import type { Logger } from '@tapeline/service/logger'
import type { Deps } from '../deps.ts'
import { publishFlagFlips } from './publish-flag-flips.ts'

const POLL_INTERVAL_MS = 500

/** Publishes flips on time: the snapshot in memory shows when one is due, the database which are published. */
export function startFlagClock(deps: Pick<Deps, 'db' | 'now' | 'newId' | 'settings'>, logger: Logger) {
  // The first run also covers the time before the process started.
  let checkedMs: number | undefined
  let publishing: Promise<void> = Promise.resolve()
  let isPublishing = false
  const publishDue = async () => {
    const nowMs = deps.now().getTime()
    if (checkedMs === undefined || deps.settings.hasFlip(checkedMs, nowMs)) await publishFlagFlips(deps)
    checkedMs = nowMs
  }
  const timer = setInterval(() => {
    if (isPublishing) return
    isPublishing = true
    publishing = publishDue()
      // The next run covers the same flips, as does the job every minute.
      .catch((err: unknown) => logger.debug({ err }, 'flag clock: publishing scheduled changes failed; retrying'))
      .finally(() => (isPublishing = false))
  }, POLL_INTERVAL_MS)
  timer.unref()
  return {
    async stop() {
      clearInterval(timer)
      await publishing
    },
  }
}
