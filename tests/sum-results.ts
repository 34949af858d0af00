import { existsSync, readFileSync } from 'node:fs'
import { addUp, type Tally, tallyText } from './runner/tally.ts'

// node tests/sum-results.ts <TEST_RESULTS_FILE> …: prints the sum of several runs. A missing file counts as one failure.

const tallies = process.argv.slice(2).map((file): Tally => {
  if (!existsSync(file)) return { passed: 0, failed: 1, skipped: 0 }
  const tally: Tally = JSON.parse(readFileSync(file, 'utf8'))
  return tally
})
const total = addUp(tallies)
console.log(tallyText(total))
process.exitCode = total.failed > 0 ? 1 : 0
