import { parseArgs } from 'node:util'
import { tryMutations } from './try-mutations-under-test.ts'

// npm run verify:configs [-- --times 10000 --seed 1]: needs DATABASE_URL, as tests do.
const { values } = parseArgs({
  options: { times: { type: 'string', default: '10000' }, seed: { type: 'string', default: '1' } },
})
const verdict = await tryMutations(Number(values.times), Number(values.seed))
process.stdout.write(`${JSON.stringify(verdict, null, 2)}\n`)
process.exitCode = verdict.wrong.length === 0 && verdict.tried === Number(values.times) ? 0 : 1
