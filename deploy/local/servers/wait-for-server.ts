import { setTimeout as delay } from 'node:timers/promises'
import type { Child } from '../processes/run-child.ts'

const POLL_MS = 25

/** `exited`: the process ended before it responded; `late`: it runs but did not respond in time. */
export async function waitForServer(
  child: Child,
  isReady: () => Promise<boolean>,
  timeoutMs: number,
): Promise<'ready' | 'exited' | 'late'> {
  const deadline = Date.now() + timeoutMs
  while (child.exit() === undefined) {
    if (await isReady()) return 'ready'
    if (Date.now() > deadline) return 'late'
    await delay(POLL_MS)
  }
  return 'exited'
}
