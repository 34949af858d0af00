import { expect, test } from 'vitest'
import { filesOf } from './run-suite.ts'
import { selectFiles } from './select-files.ts'
import { deepSuites, suites } from './steps.ts'

const all = [...suites, ...deepSuites]

function selected(...names: string[]): Record<string, string[]> {
  return Object.fromEntries(selectFiles(all, names).map(({ name, only = [] }) => [name, only]))
}

test('one file runs alone, in its own project', () => {
  expect(selected('tests/runner/select-files.test.ts')).toEqual({ unit: ['tests/runner/select-files.test.ts'] })
  expect(selected('./web/e2e/plan.e2e.ts')).toEqual({ 'platform-deep': ['web/e2e/plan.e2e.ts'] })
})

test('a folder runs its own files and none of a folder with a similar name', () => {
  const { unit = [], 'unit-deep': deep = [], ...others } = selected('gateway/')
  expect(others).toEqual({})
  expect(deep.length).toBeGreaterThan(0)
  expect(unit.length).toBeGreaterThan(10)
  expect([...unit, ...deep].filter((file) => !file.startsWith('gateway/'))).toEqual([])
})

test('a part of a path selects every file with it', () => {
  expect(selected('02-create-a-key')).toEqual({ platform: ['tests/tour/02-create-a-key.test.ts'] })
})

test('a name without a test file is an error that quotes it', () => {
  expect(() => selected('tests/tour', 'no-such-file')).toThrow('no test file matches "no-such-file"')
})

test('each test file belongs to exactly one suite', () => {
  const files = all.flatMap(filesOf)
  expect(files.length).toBeGreaterThan(300)
  expect(new Set(files).size).toBe(files.length)
})
