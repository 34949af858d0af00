import type { Logger } from '@tapeline/service/logger'
import type { Deps } from '../deps.ts'
import { tellFlagFlips } from './tell-flag-flips.ts'

const LOOK_EVERY_MS = 500

/** Publishes flips on time: the snapshot in memory shows when one is due, the database which are published. */
export function startFlagClock(deps: Pick<Deps, 'db' | 'now' | 'newId' | 'settings'>, logger: Logger) {
  // The first run also covers the time before the process started.
  let lookedMs: number | undefined
  let telling: Promise<void> = Promise.resolve()
  let isTelling = false
  const look = async () => {
    const nowMs = deps.now().getTime()
    if (lookedMs === undefined || deps.settings.hasFlip(lookedMs, nowMs)) await tellFlagFlips(deps)
    lookedMs = nowMs
  }
  const timer = setInterval(() => {
    if (isTelling) return
    isTelling = true
    telling = look()
      // The next run covers the same flips, as does the job every minute.
      .catch((err: unknown) => logger.debug({ err }, 'flips of flags could not be told yet'))
      .finally(() => (isTelling = false))
  }, LOOK_EVERY_MS)
  timer.unref()
  return {
    async stop() {
      clearInterval(timer)
      await telling
    },
  }
}
