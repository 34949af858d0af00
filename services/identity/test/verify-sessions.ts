import { parseArgs } from 'node:util'
import { beginResult } from '@tapeline/testing/begin-result'
import { checkSessionModel } from './check-session-model.fixture.ts'

// The long form of session-model.test.ts, on the servers at DATABASE_URL and REDIS_URL. `--seed` repeats a failed
// run, `--out` writes the results.
const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '2000' },
    commands: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    out: { type: 'string', default: '' },
  },
})
const [runs, commands, seed] = [values.runs, values.commands, values.seed].map(Number)
const startedMs = performance.now()
const PRINT_EVERY = 100
let begun = 0
const result = beginResult()
await checkSessionModel({ runs: runs ?? 0, commands: commands ?? 0, seed, onRun: printProgress })
const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1)
process.stdout.write(
  `seed ${values.seed}: ${runs} sequences of up to ${commands} commands, nothing lives too long or too short; ${seconds} s\n`,
)
if (values.out !== '') result.write(values.out, { runs, commands, seed })

function printProgress(): void {
  begun += 1
  if (begun % PRINT_EVERY === 0) process.stderr.write(`${begun} of ${runs} sequences\n`)
}
