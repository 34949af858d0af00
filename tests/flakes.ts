import { execFileSync, spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'

type Run = { seconds: number; passed: number; failed: number; skipped: number; failures: string[] }

const RESULT_FILE = 'docs/benchmarks/flakes.json'
const RUNS_MAX = 100
const ROOT_DIR = join(import.meta.dirname, '..')

const wanted = Number(process.argv[2] ?? '10')
if (!Number.isInteger(wanted) || wanted < 1 || wanted > RUNS_MAX) {
  console.error(`usage: node tests/flakes.ts <runs, 1 to ${RUNS_MAX}>`)
  process.exit(2)
}

/** What a run that failed had to say stays here. */
const logsDir = join(ROOT_DIR, '.tapeline', 'flakes')
rmSync(logsDir, { recursive: true, force: true })
mkdirSync(logsDir, { recursive: true })
const runs: Run[] = []
for (let number = 1; number <= wanted; number += 1) {
  const logFile = join(logsDir, `${number}.log`)
  const run = await runOnce(join(logsDir, `${number}.json`), logFile)
  runs.push(run)
  const { seconds, passed, failed, skipped } = run
  console.log(`run ${number} of ${wanted}: ${seconds} s, ${passed} passed, ${failed} failed, ${skipped} skipped`)
  for (const failure of run.failures) console.log(`  ${failure}`)
  if (failed === 0) rmSync(logFile)
  else console.log(`  what it said: ${logFile}`)
}

const flakes = countFailures(runs)
mkdirSync(join(ROOT_DIR, 'docs', 'benchmarks'), { recursive: true })
writeFileSync(join(ROOT_DIR, RESULT_FILE), `${JSON.stringify(describe(runs, flakes), null, 2)}\n`)
console.log(`${flakes.length} tests failed at least once in ${runs.length} runs; written to ${RESULT_FILE}`)
for (const { name, failed } of flakes) console.log(`  ${failed} of ${runs.length}: ${name}`)
process.exitCode = flakes.length === 0 ? 0 : 1

async function runOnce(resultsFile: string, logFile: string): Promise<Run> {
  const startedAt = Date.now()
  const log = openSync(logFile, 'w')
  const child = spawn('npm', ['test'], {
    cwd: ROOT_DIR,
    stdio: ['ignore', log, log],
    env: { ...process.env, TEST_RESULTS_FILE: resultsFile },
  })
  await new Promise((resolve) => child.once('close', resolve))
  closeSync(log)
  const seconds = Math.round((Date.now() - startedAt) / 1_000)
  const { passed, failed, skipped, failures }: Run = JSON.parse(readFileSync(resultsFile, 'utf8'))
  return { seconds, passed, failed, skipped, failures }
}

function countFailures(all: Run[]): { name: string; failed: number }[] {
  const counts = new Map<string, number>()
  for (const name of all.flatMap(({ failures }) => failures)) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].map(([name, failed]) => ({ name, failed })).toSorted((one, other) => other.failed - one.failed)
}

function describe(all: Run[], failed: { name: string; failed: number }[]) {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: ROOT_DIR, encoding: 'utf8' }).trim()
  return {
    at: new Date().toISOString(),
    commit,
    node: process.version,
    cores: availableParallelism(),
    failed,
    runs: all,
  }
}
