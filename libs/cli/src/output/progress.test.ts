import { expect, test } from 'vitest'
import { progressLine } from './progress.ts'

test('a line with name, bar, percent and megabytes', () => {
  expect(progressLine('a', 0, 2_000_000)).toBe(`a [${'-'.repeat(30)}]   0 % 0.0/2.0 MB`)
  expect(progressLine('a', 1_000_000, 2_000_000)).toBe(`a [${'#'.repeat(15)}${'-'.repeat(15)}]  50 % 1.0/2.0 MB`)
  expect(progressLine('a', 0, 0)).toBe(`a [${'#'.repeat(30)}] 100 % 0.0/0.0 MB`)
})
