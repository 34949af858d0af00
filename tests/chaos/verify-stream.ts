import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createField, type Outcome, PLATFORM, runDrill, type Size, startWiredPlatform } from './drill.ts'
import { streamCuts } from './drills/stream-cuts.ts'
import { streamRestarts } from './drills/stream-restarts.ts'
import { formatVerdict } from './format-verdict.ts'

// npm run verify:stream -- [--cuts 200] [--seed <n>]: needs RECORDINGS_DIR; the result is docs/benchmarks/verify-stream.json.
const ROOT_DIR = join(import.meta.dirname, '..', '..')
const FILE = join('docs', 'benchmarks', 'verify-stream.json')
const SETTLED_WITHIN_MS = 180_000
const SEED_MAX = 2 ** 31

const { values } = parseArgs({
  options: {
    cuts: { type: 'string', default: '200' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * SEED_MAX)) },
  },
})
const [cuts, seed] = [Number(values.cuts), Number(values.seed)]
if (!Number.isInteger(cuts) || cuts < 5 || !Number.isInteger(seed)) {
  process.stderr.write('Usage: npm run verify:stream -- [--cuts <at least 5>] [--seed <n>]\n')
  process.exit(2)
}

const startedAt = new Date()
const wired = await startWiredPlatform(PLATFORM)
const size: Size = { kills: cuts, awayMs: 0, settledWithinMs: SETTLED_WITHIN_MS, isTimed: true }
const drills: Record<string, Outcome> = {}
try {
  for (const { name, what, run } of [streamRestarts, streamCuts]) {
    process.stdout.write(`${name}: ${what} (seed ${seed})\n`)
    const outcome = await runDrill(createField(wired, { seed, size }), run)
    drills[name] = outcome
    process.stdout.write(`${formatVerdict(outcome)}\n`)
  }
} finally {
  await wired.stop()
}
const held = Object.values(drills).every(({ checks }) => checks.every(({ broken }) => broken.length === 0))
const result = {
  at: startedAt.toISOString(),
  seconds: Math.round((Date.now() - startedAt.getTime()) / 1_000),
  commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: ROOT_DIR, encoding: 'utf8' }).trim(),
  node: process.version,
  cores: availableParallelism(),
  loadAverage: loadavg(),
  command: `npm run verify:stream -- --cuts ${cuts} --seed ${seed}`,
  held,
  drills,
}
writeFileSync(join(ROOT_DIR, FILE), `${JSON.stringify(result, null, 2)}\n`)
process.stdout.write(`${held ? 'held' : 'BROKEN'}; written to ${FILE}\n`)
process.exitCode = held ? 0 : 1
