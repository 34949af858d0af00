import { expect, test } from 'vitest'
import { keyName } from './report-words.ts'

test('a key is only called deleted when the loaded keys do not include it', () => {
  const keys = [{ id: 'k1', name: 'notebook' }]
  expect([keyName(keys, 'k1'), keyName(keys, 'k2'), keyName(undefined, 'k1')]).toEqual([
    'notebook',
    'a deleted key',
    'one key',
  ])
})
