import { parseArgs } from 'node:util'
import { beginResult } from '@tapeline/testing/begin-result'
import { tryMutations } from './try-mutations.fixture.ts'

// npm run verify:configs [-- --times 10000 --seed 1 --out <file>]; an empty --out writes nothing.
const { values } = parseArgs({
  options: {
    times: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    out: { type: 'string', default: 'docs/benchmarks/config-mutations.json' },
  },
})
const [times, seed] = [Number(values.times), Number(values.seed)]
const PRINT_EVERY = 500
const startedMs = performance.now()
const result = beginResult()
const seconds = () => Math.round((performance.now() - startedMs) / 1_000)
const verdict = await tryMutations(times, seed, ({ tried, stored, refused, wrong }) => {
  if (tried % PRINT_EVERY !== 0) return
  const counts = `${stored} stored, ${refused} refused, ${wrong.length} wrong`
  process.stderr.write(`${tried} of ${times} after ${seconds()} s: ${counts}\n`)
})
process.stdout.write(`${JSON.stringify(verdict, null, 2)}\n`)
if (values.out !== '') result.write(values.out, { seed, ...verdict })
process.exitCode = verdict.wrong.length === 0 && verdict.tried === times ? 0 : 1
