import { expect, test } from 'vitest'
import { diffValues, shortValue } from './diff-values.ts'

test('names each place that differs, and the side that is not there', () => {
  const before = { same: 1, inner: { limit: 100, gone: true }, list: [1, 2] }
  const after = { same: 1, inner: { limit: 120, added: null }, list: [1, 3] }
  expect(diffValues(before, after)).toEqual([
    { path: '/inner/limit', before: 100, after: 120 },
    { path: '/inner/gone', before: true },
    { path: '/inner/added', after: null },
    { path: '/list', before: [1, 2], after: [1, 3] },
  ])
})

test('the same value is no difference; a bare value has the path of the whole', () => {
  expect(diffValues({ a: [] }, { a: [] })).toEqual([])
  expect(diffValues(1, 2)).toEqual([{ path: '/', before: 1, after: 2 }])
})

test('a long value is cut', () => {
  expect(shortValue('x'.repeat(200))).toHaveLength(81)
  expect(shortValue(undefined)).toBe('absent')
})
