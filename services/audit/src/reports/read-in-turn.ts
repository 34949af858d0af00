import { setImmediate } from 'node:timers/promises'

/** Runs one statement and returns a function that adds up its result. */
export type Step = () => Promise<() => void>

/**
 * Runs the statements in order, adding up each result while the next statement runs: for a busy account these are
 * megabytes of sketches.
 */
export async function readInTurn(steps: readonly Step[]): Promise<void> {
  let running = start(steps[0])
  for (let n = 1; running !== undefined; n += 1) {
    const addFound = await running
    running = start(steps[n])
    try {
      // Lets the pending microtasks send the statement first.
      await setImmediate()
      addFound()
    } catch (error) {
      await Promise.allSettled([running])
      throw error
    }
  }
}

/**
 * It may fail before it is awaited; without a handler that would end the process. The error is thrown when it is
 * awaited.
 */
function start(step: Step | undefined): ReturnType<Step> | undefined {
  const running = step?.()
  running?.catch(() => {})
  return running
}
