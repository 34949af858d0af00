import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { drawChart } from './figures/draw-chart.ts'
import { load, measure } from './measure.ts'
import { printTable } from './figures/print-table.ts'
import { startOnCore, stopChild } from './start-program.ts'
import { GATEWAY, startTargets, TARGETS, BASELINE, type Target, type Targets } from './start-targets.ts'
import { summarize, type Measured, type Summary } from './figures/summarize.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '10' },
    'warm-up-seconds': { type: 'string', default: '5' },
    connections: { type: 'string', default: '64' },
    'per-second': { type: 'string', default: '2000' },
    targets: { type: 'string', default: Object.keys(TARGETS).join() },
    /** Short slices, for a rough indication only. */
    quick: { type: 'boolean', default: false },
    out: { type: 'string', default: 'docs/benchmarks/bench.json' },
  },
})
if (values.quick) Object.assign(values, { rounds: '2', seconds: '3', 'warm-up-seconds': '2' })
const STARTS = 3
const rounds = wholeNumber('rounds')
const warmUpSeconds = wholeNumber('warm-up-seconds')
const cores = { measured: 0, others: 1 }
const plan = {
  seconds: wholeNumber('seconds'),
  connections: wholeNumber('connections'),
  perSecond: wholeNumber('per-second'),
  core: cores.measured,
}

if (availableParallelism() < 2) throw new Error('the benchmark needs two cores: one to measure, one for the rest')

const names = selectedNames()
const temporaryDir = mkdtempSync(join(tmpdir(), 'tapeline-bench-'))
const loadBefore = loadavg()
const generator = startOnCore('load-generator.ts', cores.others)
let targets: Targets | undefined
try {
  console.log('starting the platform with a stub for market-data …')
  targets = await startTargets(temporaryDir, cores, { names, gatewayEnv: {} })
  const measured = await runRounds(targets.list)
  const summary = summarize(measured, BASELINE)
  printTable(summary, BASELINE)
  const startMs = names.includes(GATEWAY) ? await startTimes(targets) : []
  save({ ...runContext(), plan: { ...plan, rounds, warmUpSeconds }, startMs, summary, measured }, summary)
} catch (error) {
  const busy = `load average ${loadavg()
    .map((one) => one.toFixed(1))
    .join(', ')}`
  console.error(`no result: ${error instanceof Error ? error.message : String(error)} (${busy})`)
  process.exitCode = 1
} finally {
  await targets?.stop()
  await stopChild(generator)
  rmSync(temporaryDir, { recursive: true, force: true, maxRetries: 5 })
}

/** Targets are interleaved, in reverse order every second round, so that drift affects all equally. */
async function runRounds(list: Target[]): Promise<Measured[]> {
  for (const target of list) {
    console.log(`warming up: ${target.name}`)
    await load(generator, target, { kind: 'closed', seconds: warmUpSeconds, connections: plan.connections })
  }
  const measured: Measured[] = []
  for (let round = 1; round <= rounds; round += 1) {
    for (const target of round % 2 === 0 ? list.toReversed() : list) {
      const one = { ...(await measure(generator, target, plan)), round }
      measured.push(one)
      const { cpuMicrosPerRequest, requestsPerSecond, p99Ms } = one
      const figures = `${cpuMicrosPerRequest.toFixed(1)} µs, ${requestsPerSecond.toFixed(0)}/s, p99 ${p99Ms.toFixed(2)} ms`
      console.log(`round ${round} of ${rounds}: ${target.name}: ${figures}`)
    }
  }
  return measured
}

function runContext() {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  return {
    at: new Date().toISOString(),
    commit,
    node: process.version,
    processor: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    loadAverage: { before: loadBefore, after: loadavg() },
  }
}

/** Kills the gateway a few times and measures each restart until it is ready. */
async function startTimes({ startAgain }: Targets): Promise<number[]> {
  const times: number[] = []
  for (let n = 0; n < STARTS && startAgain !== undefined; n += 1) times.push(await startAgain())
  console.log(`starts, ms: ${times.map((ms) => ms.toFixed(0)).join(', ')}`)
  return times
}

function save(result: object, summary: Summary[]): void {
  mkdirSync(join(values.out, '..'), { recursive: true })
  writeFileSync(values.out, `${JSON.stringify(result, null, 2)}\n`)
  const chart = values.out.replace(/\.json$/, '.svg')
  writeFileSync(chart, drawChart(summary, GATEWAY))
  console.log(`\nraw results: ${values.out}, chart: ${chart}`)
}

function selectedNames(): string[] {
  return values.targets.split(',').map((short) => {
    const name = Object.entries(TARGETS).find(([known]) => known === short)?.[1]
    if (name === undefined) throw new Error(`--targets names some of ${Object.keys(TARGETS).join()}`)
    return name
  })
}

function wholeNumber(name: 'rounds' | 'seconds' | 'warm-up-seconds' | 'connections' | 'per-second'): number {
  const value = Number(values[name])
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} is a whole number from 1`)
  return value
}
