import type { LatestQuotesAnswer, Quote, QuotePage } from '@tapeline/contracts/market-data/quotes'
import {
  LatestQuotesAnswer as LatestQuotesSchema,
  QuotePage as QuotePageSchema,
} from '@tapeline/contracts/market-data/quotes'
import { someUser } from '@tapeline/testing/actors'
import { callAs, testInternalKeys } from '@tapeline/testing/call-as'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { Value } from 'typebox/value'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { someL2Event } from '../../test/records.fixture.ts'
import { createApp } from '../app.ts'
import { createDeps } from '../deps.ts'
import { migrations } from '../migrations/all.ts'
import type { L2Record, Level } from '../store/record.ts'
import { storeAtOnce } from '../store/store-records.ts'
import type { Tables } from '../tables.ts'

const NOW = new Date('2026-03-20T12:00:30Z')
const START_NS = BigInt(Date.parse('2026-03-20T11:00:00Z')) * 1_000_000n
const BTC = 1
const ETH = 2
const EVENTS = 400
const pro = someUser({ tier: 'pro' })
const { pool, drop } = await openTestDatabase<Tables>(migrations)
const deps = createDeps(pool, () => NOW, 'a secret of at least 32 characters')
const app = await createApp(deps, { logger: silentLogger, internalKeys: testInternalKeys, checks: {} })
afterAll(async () => {
  await app.close()
  await drop()
})

const at = (seconds: number) => String(START_NS + BigInt(Math.round(seconds * 1000)) * 1_000_000n)
const event = (seconds: number, fields: Partial<L2Record>) =>
  someL2Event(`e${seconds}`, at(seconds), { bids: [], asks: [], ...fields })

/** ETH events: every third changes the best levels, some share a time, and one has an earlier time than its snapshot. */
const eth = Array.from({ length: EVENTS }, (_value, index): L2Record => {
  const bids: Level[] = [[String(100 - (index % 3)), String(1 + (index % 7))]]
  return someL2Event(`u${index}`, at(10 + Math.floor(index / 4)), { bids, asks: [['200', '1']] })
})

beforeAll(async () => {
  const btc = [
    event(2, { type: 'snapshot', bids: [['10', '1']], asks: [['11', '2']] }),
    event(1.9, { bids: [['9', '4']] }),
    event(1.95, { bids: [['10', '3']] }),
    event(3, { bids: [['9', '1']] }),
    event(4, { asks: [['11', '0']] }),
    event(6, { type: 'gap', gap: { reason: 'update_ids_missing', fromTs: at(4) } }),
    event(8, { type: 'snapshot', bids: [['20', '1']], asks: [['21', '1']], depthLimit: 1 }),
    event(9, { type: 'snapshot', bids: [['20', '1']], asks: [['21', '1']], depthLimit: 1 }),
  ]
  const opening = event(9.5, { type: 'snapshot', bids: [['99', '1']], asks: [['200', '1']] })
  await storeAtOnce(pool, [
    { instrumentId: BTC, trades: [], l2Events: btc },
    { instrumentId: ETH, trades: [], l2Events: [opening, ...eth] },
  ])
})

async function post(path: 'list' | 'latest', body: object) {
  return callAs(app, 'market-data', pro, { method: 'POST', url: `/api/v1/quotes/${path}`, body })
}

async function list(body: object): Promise<QuotePage> {
  const response = await post('list', body)
  expect(response.statusCode, response.body).toBe(200)
  const page = response.json<QuotePage>()
  expect([...Value.Errors(QuotePageSchema, page)]).toEqual([])
  return page
}

async function walk(body: object): Promise<Quote[]> {
  const quotes: Quote[] = []
  let page = await list(body)
  for (;;) {
    quotes.push(...page.data)
    if (!page.has_more) return quotes
    page = await list({ cursor: page.next_cursor })
  }
}

const seconds = ({ ts_event }: Quote) => Number(BigInt(Date.parse(ts_event)) - START_NS / 1_000_000n) / 1_000

test('a quote is a change of the best bid or offer from the snapshot on, and is unknown after a gap', async () => {
  const quotes = await walk({ symbols: ['BTC-USDT'] })
  expect(
    quotes.map((quote) => [seconds(quote), quote.sequence, quote.bid_price, quote.bid_size, quote.ask_price]),
  ).toEqual([
    [2, '1', '10', '1', '11'],
    [2, '3', '10', '3', '11'],
    [4, '5', '10', '3', null],
    [6, '6', null, null, null],
    [8, '7', '20', '1', '21'],
    [9, '8', '20', '1', '21'],
  ])
  expect(quotes[3]).toMatchObject({ state: 'unknown', ask_size: null })
  expect(quotes[0]).toMatchObject({ id: 'sim:BTC-USDT:quote:1', venue: 'sim', instrument_id: 1, book_epoch: 1 })
})

test('a range within a gap of the book has no quotes, and its coverage says why', async () => {
  const { data, coverage } = await list({ symbols: ['BTC-USDT'], start: at(4.5), end: at(5), time_format: 'unix_ns' })
  expect(data).toEqual([])
  const gap = { from: at(4), to: at(6), reason: 'update_ids_missing' }
  expect(coverage.filter(({ state }) => state === 'gap')).toMatchObject([gap])
})

test.each(['asc', 'desc'] as const)(
  'pages of 1, 7 and 100 joined are one scan over both instruments: %s',
  async (order) => {
    const filter = { venues: ['sim'], symbols: ['BTC-USDT', 'ETH-USDT'], end: '2026-03-20T12:00:00Z', order }
    const whole = await walk({ ...filter, limit: 10_000 })
    expect(whole.length).toBeGreaterThan(100)
    expect(whole).toEqual(inOrder(whole, order))
    expect(await walk({ ...filter, limit: 100 })).toEqual(whole)
    expect(await walk({ ...filter, limit: 7 })).toEqual(whole)
    const few = { ...filter, start: at(1), end: at(13) }
    expect(await walk({ ...few, limit: 1 })).toEqual(await walk(few))
  },
)

function inOrder(quotes: Quote[], order: 'asc' | 'desc'): Quote[] {
  const sorted = quotes.toSorted((one, other) => {
    if (one.ts_event !== other.ts_event) return one.ts_event < other.ts_event ? -1 : 1
    return one.instrument_id - other.instrument_id || Number(BigInt(one.sequence) - BigInt(other.sequence))
  })
  return order === 'asc' ? sorted : sorted.toReversed()
}

test('descending order is the reverse of ascending order, and a range has exactly the quotes that begin in it', async () => {
  const filter = { symbols: ['ETH-USDT'], end: '2026-03-20T12:00:00Z' }
  const whole = await walk(filter)
  expect(await walk({ ...filter, order: 'desc' })).toEqual(whole.toReversed())
  const part = await walk({ symbols: ['ETH-USDT'], start: at(30), end: at(31) })
  expect(part).toEqual(whole.filter((quote) => seconds(quote) >= 30 && seconds(quote) < 31))
  expect(part.length).toBeGreaterThan(0)
})

test('the latest quote of each instrument is the first of the list in descending order', async () => {
  for (const end of [undefined, at(3), at(20)]) {
    const response = await post('latest', { symbols: ['BTC-USDT', 'ETH-USDT'], ...(end && { end }) })
    const answer = response.json<LatestQuotesAnswer>()
    expect([...Value.Errors(LatestQuotesSchema, answer)]).toEqual([])
    const firsts = []
    for (const symbol of ['BTC-USDT', 'ETH-USDT']) {
      const { data } = await list({ symbols: [symbol], order: 'desc', limit: 1, ...(end && { end }) })
      firsts.push(...data)
    }
    expect(answer.data).toEqual(firsts)
  }
})

test('paging continues with quotes that are stored later', async () => {
  const open = await list({ symbols: ['SOL-USDT'] })
  expect(open).toMatchObject({ data: [], has_more: false, next_cursor: expect.any(String) })
  const snapshot = event(1, { type: 'snapshot', bids: [['10', '1']], asks: [] })
  await storeAtOnce(pool, [{ instrumentId: 3, trades: [], l2Events: [snapshot] }])
  const next = await list({ cursor: open.next_cursor })
  expect(next.data).toMatchObject([{ bid_price: '10', ask_price: null }])
  expect((await list({ cursor: next.next_cursor })).data).toEqual([])
})

test('a cursor of trades is rejected, and one call has at most ten instruments', async () => {
  expect((await post('list', { price: { gt: '1' } })).json()).toMatchObject({ errors: [{ field: '/price' }] })
  expect((await post('latest', { order: 'asc' })).json()).toMatchObject({ errors: [{ field: '/order' }] })
  expect((await post('list', { cursor: 'AQ' })).json()).toMatchObject({ code: 'cursor.invalid' })
})

test('the latest quote is found however many events came after it, within the history of the tier', async () => {
  const SOL = 3
  const SPY = 4
  const quiet = Array.from({ length: 9_000 }, (_value, index) =>
    event(20 + index / 10, { bids: [['50', String(1 + index)]] }),
  )
  const opening = event(11, { type: 'snapshot', bids: [['99', '1']], asks: [['200', '1']] })
  const old = event(-100_000, { type: 'snapshot', bids: [['7', '1']], asks: [['8', '1']] })
  await storeAtOnce(pool, [
    { instrumentId: SOL, trades: [], l2Events: [opening, ...quiet] },
    { instrumentId: SPY, trades: [], l2Events: [old] },
  ])
  const latest = async (actor = pro) => {
    const call = { method: 'POST', url: '/api/v1/quotes/latest', body: { symbols: ['SOL-USDT', 'SPY-USD'] } } as const
    const { data } = (await callAs(app, 'market-data', actor, call)).json<LatestQuotesAnswer>()
    return data.map(({ symbol, bid_price }) => [symbol, bid_price])
  }
  await vi.waitFor(async () => expect((await latest()).at(-1)).toEqual(['SPY-USD', '7']), 30_000)
  expect(await latest()).toEqual([
    ['SOL-USDT', '99'],
    ['SPY-USD', '7'],
  ])
  expect(await latest(someUser({ tier: 'free' }))).toEqual([['SOL-USDT', '99']])
})
