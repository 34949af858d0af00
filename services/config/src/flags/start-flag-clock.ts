import type { Logger } from '@tapeline/service/logger'
import type { Deps } from '../deps.ts'
import { tellFlagFlips } from './tell-flag-flips.ts'

const LOOK_EVERY_MS = 500

/** Tells of flips when they come: the copy in memory says whether there is one, the database which were told. */
export function startFlagClock(deps: Pick<Deps, 'db' | 'now' | 'newId' | 'settings'>, logger: Logger) {
  // What came while nobody looked is told first.
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
      // The next look has the same flips before it, and the job of every minute too.
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
