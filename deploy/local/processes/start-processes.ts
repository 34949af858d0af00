import { availableParallelism } from 'node:os'
import type { RunStep } from '../servers/servers.ts'
import { superviseProcess, type ProcessPlan, type SupervisedProcess, type Supervision } from './supervised-process.ts'

export type Starting = { step: RunStep; stops: (() => Promise<unknown>)[]; supervision: Supervision }

/** Compiling eight programs at once on two cores makes the first ones time out on each other. */
const STARTING_MAX = Math.max(3, 2 * availableParallelism())

/** Starts in the order of the plans, a few at a time; stops in reverse order, so that callers stop before the services they call. */
export async function startProcesses(plans: ProcessPlan[], starting: Starting): Promise<SupervisedProcess[]> {
  const { step, stops, supervision } = starting
  const waiting = [...plans]
  const processes: SupervisedProcess[] = []
  const stopAll = async (doors: boolean): Promise<void> => {
    waiting.length = 0
    await Promise.all(processes.filter(({ name }) => isDoor(name) === doors).map(async (process) => process.stop()))
  }
  stops.push(
    async () => stopAll(false),
    async () => stopAll(true),
  )
  const startNext = async (): Promise<void> => {
    for (let plan = waiting.shift(); plan !== undefined; plan = waiting.shift()) {
      const process = await superviseProcess(plan, supervision)
      processes.push(process)
      await step(process.name, async (report) => {
        report(`:${process.port}`)
        await process.waitUntilReady()
      })
    }
  }
  await Promise.all(Array.from({ length: STARTING_MAX }, startNext))
  return plans.flatMap(({ name }) => processes.filter((process) => process.name === name))
}

function isDoor(name: string): boolean {
  return name === 'web' || name.startsWith('gateway')
}
