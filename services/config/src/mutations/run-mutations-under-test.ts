import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { tryMutations } from './try-mutations-under-test.ts'

// npm run verify:configs [-- --times 10000 --seed 1 --out <file>]; an empty --out writes nothing.
const { values } = parseArgs({
  options: {
    times: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    out: { type: 'string', default: 'docs/benchmarks/config-mutations.json' },
  },
})
const [times, seed] = [Number(values.times), Number(values.seed)]
const SAY_EVERY = 500
const startedMs = performance.now()
const seconds = () => Math.round((performance.now() - startedMs) / 1_000)
const verdict = await tryMutations(times, seed, ({ tried, stored, refused, wrong }) => {
  if (tried % SAY_EVERY !== 0) return
  const counts = `${stored} stored, ${refused} refused, ${wrong.length} wrong`
  process.stderr.write(`${tried} of ${times} after ${seconds()} s: ${counts}\n`)
})
const result = {
  at: new Date().toISOString(),
  commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim(),
  node: process.version,
  cores: availableParallelism(),
  loadAverage: loadavg(),
  seed,
  seconds: seconds(),
  ...verdict,
}
const text = `${JSON.stringify(result, null, 2)}\n`
process.stdout.write(text)
if (values.out !== '') writeFileSync(values.out, text)
process.exitCode = verdict.wrong.length === 0 && verdict.tried === times ? 0 : 1
