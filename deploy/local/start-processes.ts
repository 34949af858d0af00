import type { RunStep } from './servers.ts'
import { superviseProcess, type ProcessPlan, type SupervisedProcess, type Supervision } from './supervised-process.ts'

export type Starting = { step: RunStep; stops: (() => Promise<unknown>)[]; supervision: Supervision }

/** All at once; stopped the other way round: first whoever takes requests, then whoever answers them. */
export async function startProcesses(
  plans: ProcessPlan[],
  { step, stops, supervision }: Starting,
): Promise<SupervisedProcess[]> {
  const processes = await Promise.all(plans.map(async (plan) => superviseProcess(plan, supervision)))
  const stopAll = async (doors: boolean): Promise<void> => {
    await Promise.all(processes.filter(({ name }) => isDoor(name) === doors).map(async (process) => process.stop()))
  }
  stops.push(
    async () => stopAll(false),
    async () => stopAll(true),
  )
  await Promise.all(
    processes.map(async (process) =>
      step(process.name, async (report) => {
        report(`:${process.port}`)
        await process.waitUntilReady()
      }),
    ),
  )
  return processes
}

function isDoor(name: string): boolean {
  return name === 'web' || name.startsWith('gateway')
}
