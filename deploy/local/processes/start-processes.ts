import { availableParallelism } from 'node:os'
import type { RunStep } from '../servers/servers.ts'
import { superviseProcess, type ProcessPlan, type SupervisedProcess, type Supervision } from './supervised-process.ts'

export type Starting = { step: RunStep; stops: (() => Promise<unknown>)[]; supervision: Supervision }

/** If eight programs compile at once on two cores, calls between the first ones time out. */
const STARTING_MAX = Math.max(3, 2 * availableParallelism())

/** A plan that may not be complete yet; undefined: there is nothing to start. */
export type LaterPlan = Promise<ProcessPlan | undefined>

/**
 * Starts processes in the order of the plans, a few at a time; a plan that is not ready delays no other, and fails all as
 * soon as it fails. Stops them in reverse order, so that callers stop before the services they call.
 */
export async function startProcesses(
  plans: (ProcessPlan | LaterPlan)[],
  starting: Starting,
): Promise<SupervisedProcess[]> {
  const { step, stops, supervision } = starting
  const waiting = [...plans.entries()]
  const started: { place: number; process: SupervisedProcess }[] = []
  let isStopping = false
  const stopAll = async (entryPoints: boolean): Promise<void> => {
    isStopping = true
    const those = started.filter(({ process }) => isEntryPoint(process.name) === entryPoints)
    await Promise.all(those.map(async ({ process }) => process.stop()))
  }
  stops.push(
    async () => stopAll(false),
    async () => stopAll(true),
  )
  const startNext = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [place, planned] = next
      const plan = await planned
      if (isStopping) return
      if (plan === undefined) continue
      const process = await superviseProcess(plan, supervision)
      started.push({ place, process })
      await step(process.name, async (report) => {
        report(`:${process.port}`)
        await process.waitUntilReady()
      })
    }
  }
  const later = plans.filter((plan) => plan instanceof Promise)
  await Promise.all([...Array.from({ length: STARTING_MAX }, startNext), ...later])
  return started.toSorted((one, other) => one.place - other.place).map(({ process }) => process)
}

function isEntryPoint(name: string): boolean {
  return name === 'web' || name.startsWith('gateway')
}
