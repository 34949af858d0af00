import { globSync } from 'node:fs'
import { runCommand } from './run-command.ts'
import { tallyFile, type FileReport } from './file-report.ts'
import { addUp, sayTally, type Tally } from './tally.ts'
import type { SuiteStep } from './steps.ts'

export type SuiteRun = { step: SuiteStep; env: NodeJS.ProcessEnv; signal: AbortSignal; say: (line: string) => void }
export type SuiteResult = { tally: Tally; reports: FileReport[]; output: string }

export function hasFiles({ files }: SuiteStep): boolean {
  return globSync(files, { exclude: (name) => name.includes('node_modules') }).length > 0
}

/** Shows every file when it ends; what vitest printed comes back only when something failed. */
export async function runSuite({ step, env, signal, say }: SuiteRun): Promise<SuiteResult> {
  const reports: FileReport[] = []
  const hear = (line: string): void => {
    const report: FileReport = JSON.parse(line)
    reports.push(report)
    say(`    ${report.file}: ${sayTally(tallyFile(report))} (${report.durationMs} ms)`)
  }
  const updating = `--update=${env['GOLDEN_UPDATE'] === '1' ? 'all' : 'none'}`
  const reporters = ['--reporter', 'default', '--reporter', './tests/runner/vitest-reporter.ts']
  const only = step.only === undefined ? [] : [step.only]
  const args = ['run', ...only, '--project', step.project, '--maxWorkers', String(step.workers), updating, ...reporters]
  const { ok, output, ending } = await runCommand({ command: 'vitest', args, env, signal }, hear)
  const tally = addUp(reports.map(tallyFile))
  if (ok && tally.failed === 0) return { tally, reports, output: '' }
  if (tally.failed > 0) return { tally, reports, output }
  return {
    tally: { ...tally, failed: 1 },
    reports,
    output: `${output}\nvitest ended badly without a failed test: ${ending}`,
  }
}
