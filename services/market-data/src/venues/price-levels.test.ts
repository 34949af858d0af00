import { PROPERTY_SEED } from '@tapeline/testing/property-seed'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Level } from '../store/record.ts'
import { createPriceLevels, isCrossed } from './price-levels.ts'

const level = fc
  .tuple(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 0, max: 3 }))
  .map(([price, size]): Level => [(price / 10).toFixed(1), size === 0 ? '0.00' : String(size)])

test.each(['bids', 'asks'] as const)('%s equal a sorted map after any changes', (side) => {
  fc.assert(
    fc.property(
      fc.array(fc.array(level, { maxLength: 8 }), { maxLength: 30 }),
      fc.integer({ min: 1, max: 30 }),
      (changes, depth) => {
        const levels = createPriceLevels(side)
        const expected = new Map<string, string>()
        for (const change of changes) {
          levels.apply(change)
          for (const [price, size] of change) {
            if (Number(size) === 0) expected.delete(price)
            else expected.set(price, size)
          }
        }
        const sign = side === 'bids' ? -1 : 1
        const sorted = [...expected].toSorted(([one], [other]) => sign * (Number(one) - Number(other)))
        expect(levels.top(1000)).toEqual(sorted)
        expect(levels.best()).toEqual(sorted[0])
        levels.truncate(depth)
        expect(levels.top(1000)).toEqual(sorted.slice(0, depth))
      },
    ),
    { seed: PROPERTY_SEED, numRuns: 300 },
  )
})

test('prices beyond the digits of a double stay apart', () => {
  const bids = createPriceLevels('bids')
  bids.apply([
    ['0.12345678901234567891', '1'],
    ['0.12345678901234567892', '2'],
  ])
  bids.apply([['0.12345678901234567891', '0']])
  expect(bids.top(5)).toEqual([['0.12345678901234567892', '2']])
})

test('a book is crossed when a bid reaches an ask', () => {
  const [bids, asks] = [createPriceLevels('bids'), createPriceLevels('asks')]
  bids.apply([['9.5', '1']])
  expect(isCrossed(bids, asks)).toBe(false)
  asks.apply([['10', '1']])
  expect(isCrossed(bids, asks)).toBe(false)
  bids.apply([['10', '1']])
  expect(isCrossed(bids, asks)).toBe(true)
})
