import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { load } from './measure.ts'
import { type CpuProfile, profileTable } from './figures/profile-table.ts'
import { perRequest, threadMicros } from './figures/thread-figures.ts'
import { startOnCore, stopChild } from './start-program.ts'
import { GATEWAY, startTargets, type Targets } from './start-targets.ts'

// CPU profile of a request: self time by function in the gateway's main thread and in its shipper.

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    connections: { type: 'string', default: '64' },
    rows: { type: 'string', default: '40' },
    out: { type: 'string', default: 'docs/benchmarks/profile.md' },
  },
})
const cores = { measured: 0, others: 1 }
const plan = { seconds: Number(values.seconds), connections: Number(values.connections) }
const temporaryDir = mkdtempSync(join(tmpdir(), 'tapeline-profile-'))
const profileDir = join(temporaryDir, 'profiles')
const generator = startOnCore('load-generator.ts', cores.others)
let targets: Targets | undefined
try {
  targets = await startTargets(temporaryDir, cores, {
    names: [GATEWAY],
    gatewayEnv: { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profileDir}` },
  })
  const [gateway] = targets.list
  if (gateway === undefined) throw new Error('there is no gateway')
  const before = threadMicros(gateway.pid)
  const { answered } = await load(generator, gateway, { kind: 'closed', ...plan })
  const threads = perRequest(before, threadMicros(gateway.pid), answered)
  await targets.stop()
  targets = undefined
  save(threads)
} finally {
  await targets?.stop()
  await stopChild(generator)
  rmSync(temporaryDir, { recursive: true, force: true, maxRetries: 5 })
}

function save(threads: Record<string, number>): void {
  const files = readdirSync(profileDir).filter((name) => name.endsWith('.cpuprofile'))
  const split = Object.entries(threads).map(([kind, micros]) => `${kind} ${micros.toFixed(1)} µs`)
  const parts = files.toSorted().map((file) => {
    // The format of V8's CPU profiles.
    const profile = JSON.parse(readFileSync(join(profileDir, file), 'utf8')) as CpuProfile
    const title = isShipper(profile) ? 'The shipper' : 'The main thread'
    return `## ${title}\n\n${profileTable(profile, Number(values.rows))}`
  })
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  const how = `Commit ${commit}, ${plan.connections} connections for ${plan.seconds} s, load average ${loadavg()[0]?.toFixed(0)}: on a busy machine read the shares, not the sums.`
  const head = `# Where the gateway's CPU time goes\n\n${how} Per request, profiler included: ${split.join(', ')}. Written by \`node load-tests/bench/profile.ts\`.`
  mkdirSync(join(values.out, '..'), { recursive: true })
  writeFileSync(values.out, `${[head, ...parts].join('\n\n')}\n`)
  console.log(values.out)
}

function isShipper({ nodes }: CpuProfile): boolean {
  return nodes.some(({ callFrame }) => callFrame.url.endsWith('/gateway/src/usage/ship-usage.ts'))
}
