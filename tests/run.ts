import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { cacheFolder } from '../deploy/local/folders.ts'
import { endMarked } from './runner/left-processes.ts'
import { runSteps } from './runner/run-steps.ts'
import { printGoldenChanges } from './runner/golden-changes.ts'
import { commands, deepSuites, type Step, suites } from './runner/steps.ts'
import { selectFiles } from './runner/select-files.ts'
import { addUp, type Tally, tallyText } from './runner/tally.ts'

const MARK = 'TAPELINE_TEST_RUN'
const EXIT_INTERRUPTED = 130

const [command = '', ...names] = process.argv.slice(2)
const steps = stepsOf(command, names)

const interruption = new AbortController()
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => interruption.abort())

const temporaryDir = mkdtempSync(join(tmpdir(), 'tapeline-test-'))
process.env['TMPDIR'] = temporaryDir
process.env[MARK] = randomUUID()
// As the launcher does: the many processes that tests start compile the same modules.
process.env['NODE_COMPILE_CACHE'] ??= join(cacheFolder(), 'node')
if (command === 'golden') process.env['GOLDEN_UPDATE'] = '1'

const tallies: Tally[] = []
const failures: string[] = []
try {
  const result = await runSteps(steps, { temporaryDir, signal: interruption.signal })
  tallies.push(result.tally)
  failures.push(...result.failures)
  if (command === 'golden') printGoldenChanges()
} catch (error) {
  console.error(error)
  failures.push(`the run itself: ${String(error)}`)
  tallies.push({ passed: 0, failed: 1, skipped: 0 })
} finally {
  const remaining = await endMarked(`${MARK}=${process.env[MARK]}`)
  for (const { pid, command: commandLine } of remaining) console.error(`left running, ended now: ${pid} ${commandLine}`)
  if (remaining.length > 0 && !interruption.signal.aborted) {
    failures.push('a process was left running')
    tallies.push({ passed: 0, failed: 1, skipped: 0 })
  }
  rmSync(temporaryDir, { recursive: true, force: true, maxRetries: 5 })
}

const total = addUp(tallies)
const resultsFile = process.env['TEST_RESULTS_FILE']
if (resultsFile !== undefined) writeFileSync(resultsFile, JSON.stringify({ ...total, failures }))
if (failures.length > 0) console.log(`Failed:\n${failures.map((failure) => `  ${failure}`).join('\n')}\n`)
if (interruption.signal.aborted) console.log('interrupted')
console.log(tallyText(total))
process.exit(interruption.signal.aborted ? EXIT_INTERRUPTED : total.failed > 0 ? 1 : 0)

/** Names of files, folders or parts of paths limit a run to these test files, of both lanes, without the checks. */
function stepsOf(lane: string, only: string[]): Step[] {
  const found = commands[lane]
  if (found === undefined)
    return exitWith(`usage: node tests/run.ts ${Object.keys(commands).join(' | ')} [file or folder …]`)
  if (only.length === 0) return found
  try {
    return selectFiles([...suites, ...deepSuites], only)
  } catch (error) {
    return exitWith(error instanceof Error ? error.message : String(error))
  }
}

function exitWith(message: string): never {
  console.error(message)
  process.exit(2)
}
