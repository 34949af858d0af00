import { globSync } from 'node:fs'
import { runCommand } from './run-command.ts'
import { tallyFile, type FileReport } from './file-report.ts'
import { addUp, type Tally, tallyText } from './tally.ts'
import type { SuiteStep } from './steps.ts'

export type SuiteRun = { step: SuiteStep; env: NodeJS.ProcessEnv; signal: AbortSignal; log: (line: string) => void }
export type SuiteResult = { tally: Tally; reports: FileReport[]; output: string }

const NOT_OURS = ['**/node_modules/**', '.tapeline/**']

/** Paths of the suite's files, relative to the root. */
export function filesOf({ files, except = [] }: SuiteStep): string[] {
  return globSync(files, { exclude: [...NOT_OURS, ...except] }).toSorted()
}

/** Prints one line per finished file. `output` is that of vitest, only if a test failed. */
export async function runSuite({ step, env, signal, log }: SuiteRun): Promise<SuiteResult> {
  const reports: FileReport[] = []
  const onReport = (line: string): void => {
    const report: FileReport = JSON.parse(line)
    reports.push(report)
    log(`    ${report.file}: ${tallyText(tallyFile(report))} (${report.durationMs} ms)`)
  }
  const updating = `--update=${env['GOLDEN_UPDATE'] === '1' ? 'all' : 'none'}`
  const reporters = ['--reporter', 'default', '--reporter', './tests/runner/vitest-reporter.ts']
  const args = [
    'run',
    ...(step.only ?? []),
    ...step.projects.flatMap((project) => ['--project', project]),
    updating,
    ...reporters,
  ]
  const { ok, output, ending } = await runCommand({ command: 'vitest', args, env, signal }, onReport)
  const tally = addUp(reports.map(tallyFile))
  if (ok && tally.failed === 0) return { tally, reports, output: '' }
  if (tally.failed > 0) return { tally, reports, output }
  return {
    tally: { ...tally, failed: 1 },
    reports,
    output: `${output}\nvitest ended badly without a failed test: ${ending}`,
  }
}
