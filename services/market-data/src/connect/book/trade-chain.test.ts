import { expect, test } from 'vitest'
import { someTrade } from '../../../test/records.fixture.ts'
import type { FeedTrade } from '../feeds/feed.ts'
import { createTradeChain } from './trade-chain.ts'

/** A trade, or an aggregate of the fills from `firstId` on. */
function trade(id: number, firstId = id): FeedTrade {
  const sourceId = firstId < id ? `a${id}` : String(id)
  return { id, firstId, trade: someTrade(sourceId, String(id), { hasTradeId: firstId === id }) }
}

function chainAfter(id: number) {
  const chain = createTradeChain()
  chain.resumeAfter(id, String(id))
  const take = (one: FeedTrade) => {
    const { trades, missing } = chain.take([one])
    return { stored: trades.map(({ sourceId }) => sourceId), missing: missing.map(({ from, to }) => [from, to]) }
  }
  return { chain, take }
}

test('an aggregate covers the ids of its fills', () => {
  const { take } = chainAfter(100)
  expect(take(trade(103, 101))).toEqual({ stored: ['a103'], missing: [] })
  expect(take(trade(102))).toEqual({ stored: [], missing: [] })
  expect(take(trade(107, 105))).toEqual({ stored: ['a107'], missing: [[104, 104]] })
  expect(take(trade(104))).toEqual({ stored: ['104'], missing: [] })
})

test('an aggregate whose first fills are stored is left out, and its other fills are missing', () => {
  const { chain, take } = chainAfter(100)
  take(trade(101))
  expect(take(trade(103, 101))).toEqual({ stored: [], missing: [[102, 103]] })
  expect(take(trade(102))).toEqual({ stored: ['102'], missing: [] })
  expect(take(trade(103))).toEqual({ stored: ['103'], missing: [] })
  expect(chain.missing()).toBe(0)
})

test('a late aggregate is taken if none of its fills is stored', () => {
  const { chain, take } = chainAfter(100)
  take(trade(110))
  take(trade(104))
  expect(take(trade(105, 103))).toEqual({ stored: [], missing: [] })
  expect(take(trade(108, 106))).toEqual({ stored: ['a108'], missing: [] })
  expect(chain.missing()).toBe(9 - 1 - 3)
})
