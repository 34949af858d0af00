import { expect, test } from 'vitest'
import { diffValues, shortValue } from './diff-values.ts'

test('lists each difference, and the side that is missing', () => {
  const before = { same: 1, inner: { limit: 100, gone: true }, list: [1, 2] }
  const after = { same: 1, inner: { limit: 120, added: null }, list: [1, 3] }
  expect(diffValues(before, after)).toEqual([
    { path: '/inner/limit', before: 100, after: 120 },
    { path: '/inner/gone', before: true },
    { path: '/inner/added', after: null },
    { path: '/list', before: [1, 2], after: [1, 3] },
  ])
})

test('equal values have no difference; a scalar has the root path', () => {
  expect(diffValues({ a: [] }, { a: [] })).toEqual([])
  expect(diffValues(1, 2)).toEqual([{ path: '/', before: 1, after: 2 }])
})

test('a long value is truncated', () => {
  expect(shortValue('x'.repeat(200))).toHaveLength(81)
  expect(shortValue(undefined)).toBe('absent')
})
