import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Load, LoadOrder } from './load.ts'
import type { SliceReport } from './load-generator.ts'
import { coreBusyMicros, cpuMicros, rssMb, withDescendants } from './figures/process-figures.ts'
import type { Target } from './start-targets.ts'
import type { Measured } from './figures/summarize.ts'
import { perRequest, threadMicros } from './figures/thread-figures.ts'

export type Plan = { seconds: number; connections: number; perSecond: number; core: number }

/** A target that cannot keep up with the fixed rate has no latency at it. */
const NOT_REACHED = { p50Ms: Number.NaN, p99Ms: Number.NaN }

/** One round of one target: a slice at the maximum rate for CPU time, one at a fixed rate for latency. */
export async function measure(generator: ChildProcess, target: Target, plan: Plan): Promise<Omit<Measured, 'round'>> {
  const { seconds, connections, perSecond, core } = plan
  const before = await sample(target, core)
  const busy = await load(generator, target, { kind: 'closed', seconds, connections })
  const after = await sample(target, core)
  const own = after.own - before.own
  const others = after.core - before.core - own
  const isReached = busy.answered / busy.seconds > perSecond
  const steady = isReached
    ? await load(generator, target, { kind: 'open', seconds, connections, perSecond })
    : NOT_REACHED
  return {
    target: target.name,
    isDirect: target.isDirect,
    cpuMicrosPerRequest: own / busy.answered,
    threadMicrosPerRequest: perRequest(before.threads, after.threads, busy.answered),
    redisMicrosPerRequest: (after.redis - before.redis) / busy.answered,
    requestsPerSecond: busy.answered / busy.seconds,
    p50Ms: steady.p50Ms,
    p99Ms: steady.p99Ms,
    rssMb: rssMb(withDescendants(target.pid)),
    coreTakenByOthers: Math.max(0, others / (busy.seconds * 1_000_000)),
  }
}

async function sample({ pid, redisMicros }: Target, core: number) {
  const redis = (await redisMicros?.()) ?? 0
  return { own: cpuMicros(withDescendants(pid)), core: coreBusyMicros(core), threads: threadMicros(pid), redis }
}

/** Measures one slice; a single unexpected answer invalidates the benchmark and ends it. */
export async function load(
  generator: ChildProcess,
  { name, destination }: Pick<Target, 'name' | 'destination'>,
  requested: Load,
): Promise<SliceReport> {
  const report = await loadAnyway(generator, { name, destination }, requested)
  const unexpected = Object.entries(report.statuses).filter(([status]) => status !== '200')
  if (unexpected.length > 0) throw new Error(`${name}: unexpected statuses ${JSON.stringify(report.statuses)}`)
  return report
}

/** Measures one slice and accepts any status. */
export async function loadAnyway(
  generator: ChildProcess,
  { name, destination }: Pick<Target, 'name' | 'destination'>,
  requested: Load,
): Promise<SliceReport> {
  const order: LoadOrder = { ...requested, destination }
  generator.send(order)
  const [message]: [{ report: SliceReport } | { error: string }] = await onceMessage(generator)
  if ('error' in message) throw new Error(`${name}: ${message.error}`)
  return message.report
}

async function onceMessage(generator: ChildProcess): Promise<[{ report: SliceReport } | { error: string }]> {
  const ended = new AbortController()
  const generatorExited = once(generator, 'exit', { signal: ended.signal }).then(() => {
    throw new Error('the load generator ended')
  })
  try {
    // load-generator.ts sends messages of this type.
    return (await Promise.race([once(generator, 'message'), generatorExited])) as [
      { report: SliceReport } | { error: string },
    ]
  } finally {
    generatorExited.catch(() => undefined)
    ended.abort()
  }
}
