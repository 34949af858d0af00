import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import {
  createField,
  type Drill,
  type Outcome,
  PLATFORM,
  runDrill,
  type Size,
  startWiredPlatform,
  type WiredPlatform,
} from './drill.ts'
import { DRILLS } from './drills.ts'
import { formatVerdict } from './format-verdict.ts'

// npm run chaos -- <drill|all>: runs each drill on its own platform and reports which guarantees were met.
const ROOT_DIR = join(import.meta.dirname, '..', '..')
const SEED_MAX = 2 ** 31
const USAGE = `Usage: npm run chaos -- <drill|all> [options]

${DRILLS.map(({ name, what }) => `  ${name.padEnd(18)}${what}`).join('\n')}

  --seed <n>         seed of an earlier run, to repeat its timing
  --kills <n>        number of kills, spread over gateway, audit and broker (20)
  --away <seconds>   duration of an outage (30); the drill "day" lasts twenty times as long
  --settle <seconds> time to wait until all requests are counted (100)
  --write            writes the result to docs/benchmarks/chaos-<drill>.json
`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: String(Math.floor(Math.random() * SEED_MAX)) },
    kills: { type: 'string', default: '20' },
    away: { type: 'string', default: '30' },
    settle: { type: 'string', default: '100' },
    write: { type: 'boolean', default: false },
  },
})
const numbers = { seed: Number(values.seed), kills: Number(values.kills) }
const size: Size = {
  kills: numbers.kills,
  awayMs: Number(values.away) * 1_000,
  settledWithinMs: Number(values.settle) * 1_000,
  isTimed: true,
}
const [name = ''] = positionals
const selected = name === 'all' ? DRILLS : DRILLS.filter((drill) => drill.name === name)
if (selected.length === 0 || ![numbers.seed, size.kills, size.awayMs, size.settledWithinMs].every(isCount)) {
  process.stderr.write(USAGE)
  process.exit(2)
}

let brokenDrills = 0
for (const drill of selected) {
  const load = loadavg()
  const startedAt = new Date()
  process.stdout.write(`${drill.name}: ${drill.what} (seed ${numbers.seed})\n`)
  const outcome = await runOnNewPlatform(drill)
  const isBroken = outcome.checks.some(({ broken }) => broken.length > 0)
  if (isBroken) brokenDrills += 1
  process.stdout.write(`${formatVerdict(outcome)}\n`)
  if (values.write) writeResult(drill, outcome, { startedAt, load })
}
process.stdout.write(`${selected.length - brokenDrills} of ${selected.length} drills passed\n`)
process.exitCode = brokenDrills === 0 ? 0 : 1

async function runOnNewPlatform(drill: Drill): Promise<Outcome> {
  const historyFile = join(ROOT_DIR, '.tapeline', 'chaos', `${drill.name}-${numbers.seed}.jsonl`)
  let wired: WiredPlatform | undefined
  try {
    wired = await startWiredPlatform(drill.platform ?? PLATFORM, drill.wires)
    return await runDrill(createField(wired, { seed: numbers.seed, size, historyFile }), drill.run)
  } catch (error) {
    // A drill that cannot continue is reported in the table; the others still run.
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return { checks: [{ guarantee: 'the drill came to its end', broken: [text] }], figures: {} }
  } finally {
    await wired?.stop()
  }
}

function isCount(value: number): boolean {
  return Number.isInteger(value) && value >= 0
}

type RunContext = { startedAt: Date; load: number[] }

function writeResult(drill: Drill, { checks, figures }: Outcome, { startedAt, load }: RunContext): void {
  const folder = join(ROOT_DIR, 'docs', 'benchmarks')
  const file = join(folder, `chaos-${drill.name}.json`)
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: ROOT_DIR, encoding: 'utf8' }).trim()
  const result = {
    at: startedAt.toISOString(),
    seconds: Math.round((Date.now() - startedAt.getTime()) / 1_000),
    commit,
    node: process.version,
    cores: availableParallelism(),
    loadAverage: { before: load, after: loadavg() },
    command: `npm run chaos -- ${drill.name} --seed ${numbers.seed} --kills ${size.kills} --away ${size.awayMs / 1_000}`,
    held: checks.every(({ broken }) => broken.length === 0),
    figures,
    checks,
  }
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, `${JSON.stringify(result, null, 2)}\n`)
  process.stdout.write(`written to docs/benchmarks/chaos-${drill.name}.json\n`)
}
