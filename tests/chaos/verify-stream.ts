import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createField, type Outcome, PLATFORM, runDrill, type Size, startWiredPlatform } from './drill.ts'
import { streamCuts } from './drills/stream-cuts.ts'
import { streamRestarts } from './drills/stream-restarts.ts'
import { formatVerdict } from './format-verdict.ts'

// npm run verify:stream -- [--cuts 200] [--seed <n>] [--drill stream-restarts|stream-cuts]: needs RECORDINGS_DIR. The result is
// docs/benchmarks/verify-stream.json; what is not run keeps its last result there.
const ROOT_DIR = join(import.meta.dirname, '..', '..')
const FILE = join('docs', 'benchmarks', 'verify-stream.json')
const SETTLED_WITHIN_MS = 180_000
const SEED_MAX = 2 ** 31
const DRILLS = [streamRestarts, streamCuts]

const { values } = parseArgs({
  options: {
    cuts: { type: 'string', default: '200' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * SEED_MAX)) },
    drill: { type: 'string' },
  },
})
const [cuts, seed] = [Number(values.cuts), Number(values.seed)]
const drills = DRILLS.filter(({ name }) => values.drill === undefined || name === values.drill)
if (!Number.isInteger(cuts) || cuts < 5 || !Number.isInteger(seed) || drills.length === 0) {
  const names = DRILLS.map(({ name }) => name).join('|')
  process.stderr.write(`Usage: npm run verify:stream -- [--cuts <at least 5>] [--seed <n>] [--drill ${names}]\n`)
  process.exit(2)
}

type Result = Outcome &
  Record<'at' | 'commit' | 'node' | 'command', string> & { seconds: number; loadAverage: number[] }

const wired = await startWiredPlatform(PLATFORM)
const size: Size = { kills: cuts, awayMs: 0, settledWithinMs: SETTLED_WITHIN_MS, isTimed: true }
const results: Record<string, Result> = {}
try {
  for (const { name, what, run } of drills) {
    process.stdout.write(`${name}: ${what} (seed ${seed})\n`)
    const startedAt = new Date()
    const outcome = await runDrill(createField(wired, { seed, size }), run)
    const command = `npm run verify:stream -- --cuts ${cuts} --seed ${seed} --drill ${name}`
    results[name] = { ...runContext(startedAt), command, ...outcome }
    process.stdout.write(`${formatVerdict(outcome)}\n`)
  }
} finally {
  await wired.stop()
}
const isHeld = Object.values(results).every(({ checks }) => checks.every(({ broken }) => broken.length === 0))
writeFileSync(join(ROOT_DIR, FILE), `${JSON.stringify({ ...lastResults(), ...results }, null, 2)}\n`)
process.stdout.write(`${isHeld ? 'all checks passed' : 'FAILED'}; written to ${FILE}\n`)
process.exitCode = isHeld ? 0 : 1

function runContext(startedAt: Date) {
  return {
    at: startedAt.toISOString(),
    seconds: Math.round((Date.now() - startedAt.getTime()) / 1_000),
    commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: ROOT_DIR, encoding: 'utf8' }).trim(),
    node: process.version,
    cores: availableParallelism(),
    loadAverage: loadavg(),
  }
}

function lastResults(): object {
  const file = join(ROOT_DIR, FILE)
  const read: unknown = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  return typeof read === 'object' && read !== null ? read : {}
}
