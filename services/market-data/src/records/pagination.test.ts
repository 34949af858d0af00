import type { Trade, TradePage } from '@tapeline/contracts/market-data/http'
import { callAs, testInternalKeys } from '@tapeline/testing/call-as'
import { someUser } from '@tapeline/testing/actors'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { openTestDatabase, type TestDatabase } from '@tapeline/testing/test-database'
import type { Server } from '@tapeline/service/create-server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApp } from '../app.ts'
import { createDeps } from '../deps.ts'
import { migrations } from '../migrations/all.ts'
import { someTrade } from '../../test/records.fixture.ts'
import type { TradeRecord } from '../store/record.ts'
import { storeAtOnce } from '../store/store-records.ts'
import type { Tables } from '../tables.ts'

const TIE_ROWS = 735
/** A millisecond before midnight, so that the range below crosses midnight into the next partition. */
const TIE_NS = 1_723_161_599_999_000_000n
const BTC = 1
const ETH = 2
const actor = someUser({ tier: 'pro' })

let database: TestDatabase<Tables>
let app: Server

beforeAll(async () => {
  database = await openTestDatabase<Tables>(migrations)
  const deps = createDeps(database.pool, () => new Date('2024-08-10T00:00:00Z'), 'a secret of at least 32 characters')
  app = await createApp(deps, { logger: silentLogger, internalKeys: testInternalKeys, checks: {} })
  await storeAtOnce(database.pool, [
    { instrumentId: BTC, trades: tiedTrades(BTC), l2Events: [] },
    { instrumentId: ETH, trades: tiedTrades(ETH), l2Events: [] },
  ])
})

afterAll(async () => {
  await app.close()
  await database.drop()
})

/** 735 trades in one nanosecond, 735 spread over one millisecond, and some around and after midnight. */
function tiedTrades(seed: number): TradeRecord[] {
  const times = [
    ...Array.from({ length: 40 }, (_value, index) => TIE_NS - BigInt(1000 - index * seed)),
    ...Array.from({ length: TIE_ROWS }, () => TIE_NS),
    ...Array.from({ length: TIE_ROWS }, (_value, index) => TIE_NS + 1n + BigInt((index * 7919 * seed) % 999_000)),
    ...Array.from({ length: 60 }, (_value, index) => TIE_NS + 1_000_000n + BigInt(Math.floor(index / 3)) * 1_000_000n),
  ]
  return times.map((time, index) =>
    someTrade(`${seed}-${index}`, time, {
      price: `${60_000 + (index % 50)}.5`,
      size: `0.${(index % 9) + 1}`,
      side: index % 3 === 0 ? 'buy' : 'sell',
    }),
  )
}

async function page(body: object): Promise<TradePage> {
  const response = await callAs(app, 'market-data', actor, { method: 'POST', url: '/api/v1/trades/list', body })
  expect(response.statusCode, response.body).toBe(200)
  return response.json<TradePage>()
}

/** All pages, each requested with only the cursor of the previous one. */
async function walk(body: object, limit: number): Promise<Trade[]> {
  const trades: Trade[] = []
  let current = await page({ ...body, limit })
  for (;;) {
    trades.push(...current.data)
    expect(current.data.length).toBeLessThanOrEqual(limit)
    if (!current.has_more) return trades
    current = await page({ cursor: current.next_cursor, limit })
  }
}

function inOrder(trades: Trade[], order: 'asc' | 'desc'): Trade[] {
  const sorted = trades.toSorted((one, other) => {
    if (one.ts_event !== other.ts_event) return one.ts_event < other.ts_event ? -1 : 1
    return one.instrument_id - other.instrument_id || Number(BigInt(one.sequence) - BigInt(other.sequence))
  })
  return order === 'asc' ? sorted : sorted.toReversed()
}

const all = [
  ...tiedTrades(BTC).map((trade) => ({ trade, symbol: 'BTC-USDT' })),
  ...tiedTrades(ETH).map((trade) => ({ trade, symbol: 'ETH-USDT' })),
]
const cases: { name: string; filter: object; fits: (trade: TradeRecord, symbol: string) => boolean }[] = [
  { name: 'one instrument', filter: { symbols: ['BTC-USDT'] }, fits: (_trade, symbol) => symbol === 'BTC-USDT' },
  { name: 'two instruments merged', filter: { symbols: ['ETH-USDT', 'BTC-USDT'] }, fits: () => true },
  {
    name: 'a side and a price',
    filter: { symbols: ['BTC-USDT', 'ETH-USDT'], side: 'buy', price: { gte: '60010', lt: '60040.5' } },
    fits: ({ side, price }) => side === 'buy' && Number(price) >= 60_010 && Number(price) < 60_040.5,
  },
  {
    name: 'a closed range across midnight',
    filter: { venues: ['sim'], start: '2024-08-08T23:59:59.999Z', end: '2024-08-09T00:00:00.003Z' },
    fits: ({ tsEvent }) => BigInt(tsEvent) >= TIE_NS && BigInt(tsEvent) < TIE_NS + 4_000_000n,
  },
]

describe.each(cases)('$name', ({ filter, fits }) => {
  const expected = all
    .filter(({ trade, symbol }) => fits(trade, symbol))
    .map(({ trade, symbol }) => `sim:${symbol}:${trade.sourceId}`)

  test.each(['asc', 'desc'] as const)('pages of 23, 100 and 1,000 joined are one scan: %s', async (order) => {
    const whole = await walk({ ...filter, order }, 1000)
    expect(whole.map(({ id }) => id).toSorted()).toEqual(expected.toSorted())
    expect(whole).toEqual(inOrder(whole, order))
    expect(await walk({ ...filter, order }, 100)).toEqual(whole)
    expect(await walk({ ...filter, order }, 23)).toEqual(whole)
  })
})

test.each(['asc', 'desc'] as const)(
  'pages of one record contain each trade of two prices among 735 of one nanosecond once: %s',
  async (order) => {
    const price = { gte: '60010', lt: '60012' }
    const range = { symbols: ['BTC-USDT'], price, start: String(TIE_NS - 20n), end: String(TIE_NS + 2000n), order }
    const whole = await walk(range, 1000)
    const tied = tiedTrades(BTC).filter(
      ({ tsEvent, price: each }) => BigInt(tsEvent) === TIE_NS && Number(each) >= 60_010 && Number(each) < 60_012,
    )
    expect(whole.filter(({ ts_event }) => ts_event === '2024-08-08T23:59:59.999000000Z')).toHaveLength(tied.length)
    expect(tied.length).toBeGreaterThan(25)
    expect(await walk(range, 1)).toEqual(whole)
  },
)

test('descending order is the reverse of ascending order, and the latest trade comes first', async () => {
  const ascending = await walk({ venues: ['sim'] }, 1000)
  expect(await walk({ venues: ['sim'], order: 'desc' }, 1000)).toEqual(ascending.toReversed())
  const latest = await page({ venues: ['sim'], order: 'desc', limit: 1 })
  expect(latest.data[0]).toEqual(ascending.at(-1))
})

test('a complete closed range ends without a cursor, an open range continues with later records', async () => {
  const closed = await page({ symbols: ['SOL-USDT'], end: '2024-08-09T00:00:00Z' })
  expect(closed).toMatchObject({ data: [], has_more: false, next_cursor: null })
  const open = await page({ symbols: ['SOL-USDT'] })
  expect(open).toMatchObject({ data: [], has_more: false, next_cursor: expect.any(String) })
  const [first] = tiedTrades(1)
  if (first === undefined) throw new Error('no trade')
  await storeAtOnce(database.pool, [{ instrumentId: 3, trades: [first], l2Events: [] }])
  const next = await page({ cursor: open.next_cursor })
  expect(next.data.map(({ trade_id }) => trade_id)).toEqual([first.sourceId])
  const after = await page({ cursor: next.next_cursor })
  expect(after).toMatchObject({ data: [], has_more: false, next_cursor: expect.any(String) })
})
