import type { Tally } from './tally.ts'

/** One finished test file, as the reporter sends it to the runner. */
export type FileReport = { file: string; durationMs: number; broken: boolean; tests: TestReport[] }
export type TestReport = {
  name: string
  state: 'passed' | 'failed' | 'skipped' | 'pending'
  /** Why it was skipped, or how it failed. */
  note?: string
}

/** A file that could not be loaded counts as one failure; otherwise it would look like a file without tests. */
export function tallyFile({ broken, tests }: FileReport): Tally {
  const count = (state: TestReport['state']): number => tests.filter((test) => test.state === state).length
  const failed = count('failed') + count('pending')
  return { passed: count('passed'), failed: broken && failed === 0 ? 1 : failed, skipped: count('skipped') }
}

export function failedTests({ file, broken, tests }: FileReport): string[] {
  const names = tests
    .filter(({ state }) => state === 'failed' || state === 'pending')
    .map(({ name, note }) => (note === undefined ? name : `${name}: ${note}`))
  return (broken && names.length === 0 ? ['could not be loaded'] : names).map((name) => `${file}: ${name}`)
}
