import { spawnSync } from 'node:child_process'
import { barsTable, commandOf, standingOf } from './bars-table.ts'
import { BARS } from './bars.ts'
import { readResult } from './read-result.ts'

// npm run bars: the table. npm run bars -- <n>: measures one; npm run golden then writes it into docs/reliability.md.
const [wanted] = process.argv.slice(2)
const bar = BARS.find(({ number }) => String(number) === wanted)
if (wanted === undefined) process.stdout.write(`${barsTable()}\n`)
else if (bar === undefined) {
  process.stderr.write(`Usage: npm run bars -- [1-${BARS.length}]\n`)
  process.exitCode = 2
} else if (bar.command === undefined) {
  process.stdout.write(`${bar.says}: not measured, there is no command. ${(bar.heldIn ?? []).join(', ')}\n`)
} else {
  process.stdout.write(`${bar.says}\n${commandOf(bar)}\n`)
  const program = bar.command[0] === 'run' ? 'npm' : process.execPath
  const { status } = spawnSync(program, bar.command, { stdio: 'inherit' })
  const { figure, verdict } = standingOf(bar, readResult)
  if (status !== 0) process.stdout.write(`the command ended with ${status}; what was kept before says:\n`)
  process.stdout.write(`${figure}: ${verdict}\n`)
  process.exitCode = status === 0 && !verdict.startsWith('**red') ? 0 : 1
}
