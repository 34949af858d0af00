import { PROPERTY_SEED } from '@tapeline/testing/property-seed'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { someTrade } from '../../test/records.fixture.ts'
import { createTradeIds } from './trade-ids.ts'

const idsOf = (ranges: readonly { fromId: number; toId: number }[]): number[] =>
  ranges.flatMap(({ fromId, toId }) => Array.from({ length: toId - fromId + 1 }, (_value, index) => fromId + index))

test('gaps and runs are the ids between the first and the last, in any order of the file', () => {
  const ids = fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { minLength: 1 })
  fc.assert(
    fc.property(ids, (inserted) => {
      const found = createTradeIds()
      for (const id of inserted) found.add(someTrade(String(id), BigInt(id)))
      const sorted = inserted.toSorted((one, other) => one - other)
      const all = idsOf([{ fromId: sorted[0] ?? 0, toId: sorted.at(-1) ?? 0 }])
      expect(idsOf(found.runs())).toEqual(sorted)
      expect(idsOf(found.gaps())).toEqual(all.filter((id) => !inserted.includes(id)))
    }),
    { seed: PROPERTY_SEED },
  )
})

test('a gap lies between the times of the trades around it', () => {
  const found = createTradeIds()
  for (const id of [10, 20, 15, 5]) found.add(someTrade(String(id), BigInt(id * 100)))
  expect(found.gaps().map(({ fromTs, toTs, missing }) => [fromTs, toTs, missing])).toEqual([
    ['500', '1000', 4],
    ['1000', '1500', 4],
    ['1500', '2000', 4],
  ])
})

test('a run lies between the times of its first and its last trade', () => {
  const found = createTradeIds()
  for (const id of [10, 11, 20, 15, 5]) found.add(someTrade(String(id), BigInt(id * 100)))
  expect(found.runs()).toEqual([
    { fromId: 5, toId: 5, fromTs: '500', toTs: '500' },
    { fromId: 10, toId: 11, fromTs: '1000', toTs: '1100' },
    { fromId: 15, toId: 15, fromTs: '1500', toTs: '1500' },
    { fromId: 20, toId: 20, fromTs: '2000', toTs: '2000' },
  ])
})

test.each([
  ['a trade without an id of the venue', someTrade('9', 9n, { hasTradeId: false })],
  ['an id that is not a number', someTrade('x9', 9n)],
])('%s: missing trades are not reported', (_case, trade) => {
  const found = createTradeIds()
  for (const one of [someTrade('1', 1n), someTrade('5', 5n), trade]) found.add(one)
  expect([found.gaps(), found.runs()]).toEqual([[], []])
})
