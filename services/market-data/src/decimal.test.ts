import { expect, test } from 'vitest'
import { canonicalDecimal, compareDecimals } from './decimal.ts'

test.each([
  ['61837.63000000', '61837.63'],
  ['25.426189', '25.426189'],
  ['0.00000000', '0'],
  ['-0.0', '0'],
  ['000123.4500', '123.45'],
  ['100', '100'],
  ['0.000000000000000001', '0.000000000000000001'],
  ['123456789012345678901234567890.5', '123456789012345678901234567890.5'],
  ['-7.10', '-7.1'],
])('%s is written %s', (text, canonical) => {
  expect(canonicalDecimal(text)).toBe(canonical)
})

test.each(['', '.5', '5.', '1e5', '1,000', 'NaN', '--1', '0x10', ' 1'])('%j is not a decimal', (text) => {
  expect(canonicalDecimal(text)).toBeUndefined()
})

test('decimals of any length are compared exactly', () => {
  const sorted = [
    '-10',
    '-9.5',
    '-0.1',
    '0',
    '0.09',
    '0.1',
    '9',
    '10.000000000000000001',
    '10.00000000000000001',
    '100000000000000000000.1',
  ]
  expect(sorted.toReversed().toSorted(compareDecimals)).toEqual(sorted)
})
