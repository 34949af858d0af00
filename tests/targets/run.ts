import { spawnSync } from 'node:child_process'
import { targetsTable, commandOf, assessTarget } from './targets-table.ts'
import { TARGETS } from './targets.ts'
import { readResult } from './read-result.ts'

// npm run targets: the table. npm run targets -- <n>: measures one; npm run golden then writes it into
// docs/reliability.md.
const [chosen] = process.argv.slice(2)
const target = TARGETS.find(({ number }) => String(number) === chosen)
if (chosen === undefined) process.stdout.write(`${targetsTable()}\n`)
else if (target === undefined) {
  process.stderr.write(`Usage: npm run targets -- [1-${TARGETS.length}]\n`)
  process.exitCode = 2
} else if (target.command === undefined) {
  process.stdout.write(`${target.title}: not measured, there is no command. ${(target.testedIn ?? []).join(', ')}\n`)
} else {
  process.stdout.write(`${target.title}\n${commandOf(target)}\n`)
  const program = target.command[0] === 'run' ? 'npm' : process.execPath
  const { status } = spawnSync(program, target.command, { stdio: 'inherit' })
  const { figure, verdict } = assessTarget(target, readResult)
  if (status !== 0) process.stdout.write(`the command ended with ${status}; the previous result:\n`)
  process.stdout.write(`${figure}: ${verdict}\n`)
  process.exitCode = status === 0 && !verdict.startsWith('**missed') ? 0 : 1
}
