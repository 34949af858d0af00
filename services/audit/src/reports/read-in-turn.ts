import { setImmediate } from 'node:timers/promises'

/** Runs one statement; what it gives back adds up what was found. */
export type Step = () => Promise<() => void>

/** What a statement found is added up while the next one runs: of a busy account it is megabytes of sketches. */
export async function readInTurn(steps: readonly Step[]): Promise<void> {
  let running = start(steps[0])
  for (let n = 1; running !== undefined; n += 1) {
    const addFound = await running
    running = start(steps[n])
    try {
      // The statement is sent by what waits to be run.
      await setImmediate()
      addFound()
    } catch (error) {
      await Promise.allSettled([running])
      throw error
    }
  }
}

/** It may fail before anybody waits for it, which is no reason to end the process: whoever waits then learns it. */
function start(step: Step | undefined): ReturnType<Step> | undefined {
  const running = step?.()
  running?.catch(() => {})
  return running
}
