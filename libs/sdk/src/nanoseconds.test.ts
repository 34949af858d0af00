import { PROPERTY_SEED } from '@tapeline/testing/property-seed'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromNanoseconds, toNanoseconds } from './nanoseconds.ts'

test('every nanosecond from 1970 to 2200 is converted to text and back without loss', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 7_258_118_400_000_000_000n }), (nanoseconds) => {
      expect(toNanoseconds(fromNanoseconds(nanoseconds))).toBe(nanoseconds)
      expect(toNanoseconds(String(nanoseconds))).toBe(nanoseconds)
    }),
    { seed: PROPERTY_SEED },
  )
})

test('fewer decimals are fractions of a second, other texts are rejected', () => {
  expect(toNanoseconds('2026-01-02T03:04:05Z')).toBe(1_767_323_045_000_000_000n)
  expect(toNanoseconds('2026-01-02T03:04:05.5Z')).toBe(1_767_323_045_500_000_000n)
  for (const text of ['', 'now', '2026-01-02', '2026-13-02T03:04:05Z', '2026-01-02T03:04:05+01:00']) {
    expect(() => toNanoseconds(text)).toThrow(RangeError)
  }
})
