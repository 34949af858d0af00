import { expect, test } from 'vitest'
import { failedTests, tallyFile, type FileReport } from './file-report.ts'
import { addUp, tallyText } from './tally.ts'

const report = (states: FileReport['tests'][number]['state'][], broken = false): FileReport => ({
  file: 'a.test.ts',
  durationMs: 1,
  broken,
  tests: states.map((state) => ({ name: 'a', state })),
})

test('each test counts as one, and an unfinished test counts as failed', () => {
  const tally = tallyFile(report(['passed', 'passed', 'failed', 'pending', 'skipped']))
  expect(tally).toEqual({ passed: 2, failed: 2, skipped: 1 })
})

test('a file that could not be loaded is a failure although it has no tests', () => {
  expect(tallyFile(report([], true))).toEqual({ passed: 0, failed: 1, skipped: 0 })
})

test('the last line contains the totals', () => {
  const total = addUp([tallyFile(report(['passed'])), tallyFile(report(['failed', 'skipped']))])
  expect(tallyText(total)).toBe('1 passed, 1 failed, 1 skipped')
})

test('a failed test is reported with file, name and message', () => {
  const { tests, ...file } = report(['passed', 'failed', 'pending'])
  const noted = tests.map((one) => (one.state === 'failed' ? { ...one, note: 'expected 1' } : one))
  expect(failedTests({ ...file, tests: noted })).toEqual(['a.test.ts: a: expected 1', 'a.test.ts: a'])
  expect(failedTests(report([], true))).toEqual(['a.test.ts: could not be loaded'])
})
