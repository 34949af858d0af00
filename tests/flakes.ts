import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { delimiter, join } from 'node:path'

// node tests/flakes.ts <runs>: runs all tests repeatedly; each finished run is added to the committed result.

type Counts = { passed: number; failed: number; skipped: number; failures: string[] }
type Run = { at: string; commit: string; node: string; cores: number; seconds: number } & Counts
/** The newest runs, oldest first, and how many of them in a row had no failure, counted from the newest. */
type Series = { inARow: number; runs: Run[] }

const ROOT_DIR = join(import.meta.dirname, '..')
const BIN_DIR = join(ROOT_DIR, 'node_modules', '.bin')
const RESULT_FILE = join(ROOT_DIR, 'docs', 'benchmarks', 'flakes.json')
const RUNS_MAX = 100
const RUNS_KEPT = 50

const runs = Number(process.argv[2] ?? '10')
if (!Number.isInteger(runs) || runs < 1 || runs > RUNS_MAX) {
  console.error(`usage: node tests/flakes.ts <runs, 1 to ${RUNS_MAX}>`)
  process.exit(2)
}

const EXIT_INTERRUPTED = 130
let isInterrupted = false
let running: ChildProcess | undefined
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(name, () => {
    isInterrupted = true
    running?.kill('SIGINT')
  })
}

/** Output of failed runs is stored here. */
const logsDir = join(ROOT_DIR, '.tapeline', 'flakes')
rmSync(logsDir, { recursive: true, force: true })
mkdirSync(logsDir, { recursive: true })
for (let number = 1; number <= runs; number += 1) {
  const logFile = join(logsDir, `${number}.log`)
  const run = await runOnce(join(logsDir, `${number}.json`), logFile)
  // A partial run is not evaluated.
  if (isInterrupted) process.exit(EXIT_INTERRUPTED)
  const series = add(run)
  const { seconds, passed, failed, skipped } = run
  const counts = `${passed} passed, ${failed} failed, ${skipped} skipped`
  console.log(`run ${number} of ${runs}: ${seconds} s, ${counts}; ${series.inARow} in a row without a failure`)
  for (const failure of run.failures) console.log(`  ${failure}`)
  if (failed === 0) rmSync(logFile)
  else {
    console.log(`  log: ${logFile}`)
    process.exitCode = 1
  }
}

async function runOnce(resultsFile: string, logFile: string): Promise<Run> {
  const startedAt = Date.now()
  const log = openSync(logFile, 'w')
  // Runs what `npm test` runs, but without npm in between, so that interrupts reach it.
  const child = spawn('node', [join('tests', 'run.ts'), 'test'], {
    cwd: ROOT_DIR,
    stdio: ['ignore', log, log],
    env: { ...process.env, PATH: `${BIN_DIR}${delimiter}${process.env['PATH']}`, TEST_RESULTS_FILE: resultsFile },
  })
  running = child
  await new Promise((resolve) => child.once('close', resolve))
  closeSync(log)
  const { passed, failed, skipped, failures }: Counts = JSON.parse(readFileSync(resultsFile, 'utf8'))
  return {
    at: new Date(startedAt).toISOString(),
    commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: ROOT_DIR, encoding: 'utf8' }).trim(),
    node: process.version,
    cores: availableParallelism(),
    seconds: Math.round((Date.now() - startedAt) / 1_000),
    passed,
    failed,
    skipped,
    failures,
  }
}

function add(run: Run): Series {
  const before: Series = existsSync(RESULT_FILE)
    ? JSON.parse(readFileSync(RESULT_FILE, 'utf8'))
    : { inARow: 0, runs: [] }
  const runs = [...before.runs, run].slice(-RUNS_KEPT)
  const lastFailed = runs.findLastIndex(({ failed }) => failed > 0)
  const series = { inARow: runs.length - 1 - lastFailed, runs }
  mkdirSync(join(RESULT_FILE, '..'), { recursive: true })
  writeFileSync(RESULT_FILE, `${JSON.stringify(series, null, 2)}\n`)
  return series
}
