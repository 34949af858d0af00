import { setTimeout as sleep } from 'node:timers/promises'

const PATIENCE_MS = 180_000
const PAUSE_MS = 2_000
const CHARACTERS_SHOWN = 160

type RetryOptions = { log: (line: string) => void; patienceMs?: number; pauseMs?: number }

/** A server that has just reported healthy may still reject connections. Only for idempotent work. */
export async function withRetries<Result>(
  what: string,
  work: () => Promise<Result>,
  { log, patienceMs = PATIENCE_MS, pauseMs = PAUSE_MS }: RetryOptions,
): Promise<Result> {
  const until = Date.now() + patienceMs
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (Date.now() + pauseMs > until) throw error
      const reason = String(error instanceof Error ? error.message : error).replaceAll(/\s+/g, ' ')
      log(`${what}: ${reason.slice(0, CHARACTERS_SHOWN)}; retrying in ${pauseMs / 1_000} s`)
      await sleep(pauseMs)
    }
  }
}
