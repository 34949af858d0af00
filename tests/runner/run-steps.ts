import { runCommand } from './run-command.ts'
import { filesOf, runSuite } from './run-suite.ts'
import { printSkipped, printSlowest } from './print-files.ts'
import { startTestServers } from './test-servers.ts'
import type { TestServers } from './server-addresses.ts'
import { addUp, type Tally, tallyText } from './tally.ts'
import { failedTests, type FileReport } from './file-report.ts'
import type { CommandStep, Step, SuiteStep } from './steps.ts'

export type RunOptions = { temporaryDir: string; signal: AbortSignal }
export type RunResult = { tally: Tally; failures: string[] }
type StepResult = { tally: Tally; reports: FileReport[]; output: string }

const NAME_WIDTH = 24
const STILL_RUNNING_MS = 30_000
/** Most checks use one core. */
const CHECKS_AT_ONCE = 2

/**
 * Runs the checks, two at a time, then the suites, one after another except those that run beside the next. The servers
 * of the suites start while the checks run, and stop after the last suite.
 */
export async function runSteps(steps: Step[], options: RunOptions): Promise<RunResult> {
  const results: StepResult[] = []
  const failures: string[] = []
  const servers = serverPool(options)
  const run = async (step: Step): Promise<void> => {
    if (options.signal.aborted) return
    const result = await showStep(step, () => runStep(step, options, servers.get))
    results.push(result)
    failures.push(...namesOfFailed(step, result))
  }
  const suites = steps.filter((step): step is SuiteStep => step.counts === 'each test' && filesOf(step).length > 0)
  if (suites.length > 0) servers.start()
  try {
    const checks = steps.filter(({ counts }) => counts === 'as one')
    const next = async (): Promise<void> => {
      for (let step = checks.shift(); step !== undefined; step = checks.shift()) await run(step)
    }
    await Promise.all(Array.from({ length: CHECKS_AT_ONCE }, next))
    let longer: { beside: string[]; end: Promise<void> } | undefined
    for (const suite of suites) {
      if (longer?.beside.includes(suite.name) !== true) await longer?.end
      const end = run(suite)
      if (suite.beside === undefined) {
        await end
        continue
      }
      longer = { beside: suite.beside, end }
      // Awaited below: until then nothing else handles its failure.
      end.catch(() => undefined)
    }
    await longer?.end
  } finally {
    await servers.stop()
  }
  const reports = results.flatMap((result) => result.reports)
  printSkipped(reports)
  printSlowest(reports)
  console.log('')
  return { tally: addUp(results.map(({ tally }) => tally)), failures }
}

function namesOfFailed(step: Step, { tally, reports }: StepResult): string[] {
  const names = reports.flatMap(failedTests)
  return names.length === 0 && tally.failed > 0 ? [step.name] : names
}

function serverPool({ temporaryDir }: RunOptions) {
  let started: Promise<TestServers | undefined> | undefined
  const get = (): Promise<TestServers | undefined> =>
    (started ??= timed('servers', () => startTestServers(temporaryDir, console.log)))
  return {
    get,
    /** A failure is that of the first suite. */
    start: () => void get().catch(() => undefined),
    stop: async () => (await started?.catch(() => undefined))?.stop(),
  }
}

async function runStep(
  step: Step,
  options: RunOptions,
  servers: () => Promise<TestServers | undefined>,
): Promise<StepResult> {
  if (step.counts === 'as one') return runCheck(step, options.signal)
  const running = await servers()
  if (running === undefined) return { tally: { passed: 0, failed: 0, skipped: 1 }, reports: [], output: '' }
  return runTests(step, running, options.signal)
}

async function runCheck({ command, args }: CommandStep, signal: AbortSignal): Promise<StepResult> {
  const { ok, output, ending } = await runCommand({ command, args, env: process.env, signal })
  const tally = { passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 }
  return { tally, reports: [], output: ok ? '' : `${output}\n${command}: ${ending}` }
}

async function runTests(step: SuiteStep, { environment }: TestServers, signal: AbortSignal): Promise<StepResult> {
  return runSuite({ step, env: { ...process.env, ...environment }, signal, log: console.log })
}

async function showStep(step: Step, run: () => Promise<StepResult>): Promise<StepResult> {
  if (step.counts === 'each test') console.log(`  ${step.name} …`)
  const { tally, reports, output } = await timed(step.name, run, ({ tally: counted }) =>
    step.counts === 'as one' ? (counted.failed > 0 ? 'FAILED' : 'ok') : tallyText(counted),
  )
  if (output !== '') console.log(`\n${output}\n`)
  return { tally, reports, output }
}

async function timed<Result>(name: string, work: () => Promise<Result>, word: (result: Result) => string = () => 'ok') {
  const startedAt = Date.now()
  const seconds = (): string => `${((Date.now() - startedAt) / 1_000).toFixed(1)} s`
  const ticking = setInterval(() => console.log(`  ${name}: still running, ${seconds()}`), STILL_RUNNING_MS)
  try {
    const result = await work()
    console.log(`  ${name.padEnd(NAME_WIDTH)}${seconds().padStart(9)}  ${word(result)}`)
    return result
  } finally {
    clearInterval(ticking)
  }
}
