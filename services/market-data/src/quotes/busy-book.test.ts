import type { LatestQuotesAnswer, Quote, QuotePage } from '@tapeline/contracts/market-data/quotes'
import { someUser } from '@tapeline/testing/actors'
import { callAs, testInternalKeys } from '@tapeline/testing/call-as'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { someL2Event } from '../../test/records.fixture.ts'
import { createApp } from '../app.ts'
import { createDeps } from '../deps.ts'
import { migrations } from '../migrations/all.ts'
import type { L2Record, Level } from '../store/record.ts'
import { storeAtOnce } from '../store/store-records.ts'
import type { Tables } from '../tables.ts'

const START_NS = BigInt(Date.parse('2026-03-20T11:00:00Z')) * 1_000_000n
/** 3,000 events a second, for two seconds: more than one call reads. */
const EVENTS = 6_000
const STEP_NS = 1_000_000_000n / 3_000n
/** Every so many events change the best bid. */
const QUOTE_EVERY = 200
const pro = someUser({ tier: 'pro' })
const { pool, drop } = await openTestDatabase<Tables>(migrations)
const deps = createDeps(pool, () => new Date('2026-03-20T12:00:00Z'), 'a secret of at least 32 characters')
const app = await createApp(deps, { logger: silentLogger, internalKeys: testInternalKeys, checks: {} })
afterAll(async () => {
  await app.close()
  await drop()
})

beforeAll(async () => {
  const l2Events = Array.from({ length: EVENTS }, (_value, index): L2Record => {
    const bids: Level[] = index % QUOTE_EVERY === QUOTE_EVERY - 1 ? [['100', String(index + 1)]] : [['50', '1']]
    const type = index === 0 ? 'snapshot' : 'update'
    return someL2Event(`u${index}`, START_NS + BigInt(index) * STEP_NS, { type, bids, asks: [] })
  })
  await storeAtOnce(pool, [{ instrumentId: 1, trades: [], l2Events }])
})

async function post<T>(path: 'list' | 'latest', body: object): Promise<T> {
  const call = { method: 'POST', url: `/api/v1/quotes/${path}`, body } as const
  const response = await callAs(app, 'market-data', pro, call)
  expect(response.statusCode, response.body).toBe(200)
  return response.json<T>()
}

async function walk(body: object): Promise<Quote[]> {
  const quotes: Quote[] = []
  let page = await post<QuotePage>('list', body)
  for (;;) {
    quotes.push(...page.data)
    if (!page.has_more) return quotes
    const { next_cursor } = page
    page = await post<QuotePage>('list', { cursor: next_cursor })
    expect(page.next_cursor).not.toBe(next_cursor)
  }
}

const sequences = Array.from({ length: EVENTS / QUOTE_EVERY }, (_value, index) => String((index + 1) * QUOTE_EVERY))

test.each([
  ['asc', ['1', ...sequences]],
  ['desc', ['1', ...sequences].toReversed()],
])('all quotes of a book of 3,000 events a second are listed: %s', async (order, expected) => {
  const quotes = await walk({ symbols: ['BTC-USDT'], end: '2026-03-20T12:00:00Z', order, limit: 20 })
  expect(quotes.map(({ sequence }) => sequence)).toEqual(expected)
})

test('the latest quote of a book of 3,000 events a second is its newest', async () => {
  const { data } = await post<LatestQuotesAnswer>('latest', { symbols: ['BTC-USDT'] })
  expect(data).toMatchObject([{ sequence: String(EVENTS) }])
})

test('more events with one time than a call reads do not end the list', async () => {
  const at = START_NS + 60_000_000_000n
  const quiet = Array.from({ length: 5_100 }, (_value, index) =>
    someL2Event(`t${index}`, at, { bids: [['50', String(index + 1)]], asks: [] }),
  )
  const last = someL2Event('last', at + 1n, { bids: [['100', '1']], asks: [] })
  const opening = someL2Event('opening', at - 1n, { type: 'snapshot', bids: [['99', '1']], asks: [] })
  await storeAtOnce(pool, [{ instrumentId: 2, trades: [], l2Events: [opening, ...quiet, last] }])
  for (const order of ['asc', 'desc']) {
    const quotes = await walk({ symbols: ['ETH-USDT'], start: String(at), end: '2026-03-20T12:00:00Z', order })
    expect(quotes.map(({ sequence }) => sequence)).toEqual(['5102'])
  }
})
