import { readdirSync } from 'node:fs'
import { rssMb } from '../bench/figures/process-figures.ts'
import type { Sample } from './growth.ts'

export type Watched = {
  name: string
  pid: number
  /** Address of its metrics, if any. */ metricsUrl?: string | undefined
}
export type Watch = { samples: Map<string, Sample[]>; stop: () => Promise<void> }

const LOOP_P99 = /^nodejs_eventloop_lag_p99_seconds(?:\{[^}]*\})? (\S+)$/m
const MS_PER_SECOND = 1_000
/** The measuring timer fires at this interval (`eventLoopMonitoringPrecision`), which Node counts as delay. */
const LOOP_INTERVAL_MS = 10

/** Samples memory, descriptors and event-loop delay of each process at intervals until it is stopped. */
export function watchProcesses(processes: readonly Watched[], everyMs: number): Watch {
  const samples = new Map<string, Sample[]>(processes.map(({ name }) => [name, []]))
  let last: Promise<unknown> = Promise.resolve()
  const sampleAll = () => Promise.all(processes.map(async (one) => samples.get(one.name)?.push(await sampleOf(one))))
  const timer = setInterval(() => {
    last = last.then(sampleAll)
    // The caller of stop gets the error.
    last.catch(() => undefined)
  }, everyMs)
  return {
    samples,
    async stop() {
      clearInterval(timer)
      await last
    },
  }
}

async function sampleOf({ pid, metricsUrl }: Watched): Promise<Sample> {
  return {
    atMs: performance.now(),
    rssMb: rssMb([pid]),
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    loopP99Ms: metricsUrl === undefined ? undefined : await loopP99(metricsUrl),
  }
}

/** Since the previous sample: the process resets it on each read. */
async function loopP99(url: string): Promise<number | undefined> {
  const reply = await fetch(url)
  const seconds = LOOP_P99.exec(await reply.text())?.[1]
  return seconds === undefined ? undefined : Math.max(0, Number(seconds) * MS_PER_SECOND - LOOP_INTERVAL_MS)
}
