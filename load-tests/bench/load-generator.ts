import { percentile } from './figures/summarize.ts'
import { runLoad, type LoadOrder } from './load.ts'

/** Results of one slice, as reported to the parent process. */
export type SliceReport = {
  answered: number
  seconds: number
  statuses: Record<string, number>
  reconnects: number
  p50Ms: number
  p99Ms: number
}

/** A separate process, so that it can have its own core; receives orders and returns reports. */
process.on('message', async (order: LoadOrder) => {
  try {
    const { answered, seconds, statuses, reconnects, latenciesMs } = await runLoad(order)
    latenciesMs.sort((one, other) => one - other)
    const [p50Ms, p99Ms] = [percentile(latenciesMs, 50), percentile(latenciesMs, 99)]
    process.send?.({ report: { answered, seconds, statuses, reconnects, p50Ms, p99Ms } satisfies SliceReport })
  } catch (error) {
    process.send?.({ error: String(error) })
  }
})
process.on('disconnect', () => process.exit())
