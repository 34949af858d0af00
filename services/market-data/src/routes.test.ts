import { type Sample, Sample as SampleSchema } from '@tapeline/contracts/market-data/http'
import { someUser } from '@tapeline/testing/actors'
import { callAs } from '@tapeline/testing/call-as'
import { Value } from 'typebox/value'
import { afterAll, describe, expect, test } from 'vitest'
import { nanosecondsAgo, openServiceWithTrades } from '../test/service-with-trades.fixture.ts'

const free = someUser()
const { app, post, trades, close } = await openServiceWithTrades()
afterAll(close)

test('a trade has the fields of the contract: exact decimals, nine fraction digits, its sequence', async () => {
  const { data, ...page } = await trades({ venues: ['sim'], symbols: ['BTC-USDT'], limit: 1 })
  expect(data).toEqual([
    {
      id: 'sim:BTC-USDT:t30',
      venue: 'sim',
      symbol: 'BTC-USDT',
      venue_symbol: 'BTC-USDT',
      instrument_id: 1,
      ts_event: '2026-03-19T06:00:00.000000123Z',
      ts_recv: '2026-03-19T06:00:00.000000123Z',
      sequence: '1',
      flags: [],
      trade_id: 't30',
      venue_sequence: null,
      price: '61837.63',
      size: '25.426189',
      side: 'buy',
      side_source: 'venue',
    },
  ])
  expect(page).toMatchObject({
    has_more: true,
    next_cursor: expect.any(String),
    warnings: [],
    request_id: expect.stringMatching(/^[0-9a-f]{32}$/),
  })
  expect(page.coverage).toEqual([
    {
      venue: 'sim',
      symbol: 'BTC-USDT',
      from: '2026-03-19T06:00:00.000000123Z',
      to: '2026-03-20T11:00:00.000000123Z',
      state: 'stored',
      reason: null,
      complete_through: null,
    },
  ])
})

test('times in nanoseconds and conditions are returned on request, also with only the cursor', async () => {
  const body = { symbols: ['btc-usdt'], time_format: 'unix_ns', include: ['conditions'], side: 'sell', limit: 1 }
  const first = await trades(body)
  expect(first.data).toMatchObject([{ ts_event: nanosecondsAgo(2), conditions: ['exchange:P'], venue: 'binance' }])
  const all = await trades({ ...body, side: undefined, limit: 2 })
  expect((await trades({ cursor: all.next_cursor })).data).toMatchObject([
    { ts_event: nanosecondsAgo(2) },
    { ts_event: nanosecondsAgo(1), conditions: [] },
  ])
})

test.each([
  [{ price: { gt: '61837.63' } }, 0],
  [{ price: { gte: '61837.630' } }, 4],
  [{ price: { lt: '61837.630000001' }, size: { lte: '25.426189' } }, 4],
  [{ size: { lt: '25.426189' } }, 0],
  [{ side: 'sell' }, 1],
  [{ side: 'unknown' }, 0],
  [{ start: '2026-03-20', end: '2026-03-20T11:00:00.000000123Z' }, 1],
  [{ start: '2026-03-20', end: '2026-03-20T11:00:00.000000124Z' }, 2],
])('%j fits %i trades', async (filter, count) => {
  expect((await trades(filter)).data).toHaveLength(count)
})

describe('filter validation', () => {
  test.each([
    [{ colour: 'red' }, '/colour', 'request.invalid'],
    [{ limit: 0 }, '/limit', 'request.invalid'],
    [{ limit: 10_001 }, '/limit', 'request.invalid'],
    [{ limit: '5' }, '/limit', 'request.invalid'],
    [{ symbols: [] }, '/symbols', 'request.invalid'],
    [{ price: { gte: '6e4' } }, '/price/gte', 'request.invalid'],
    [{ side: 'long' }, '/side', 'request.invalid'],
    [{ start: 'yesterday' }, '/start', 'filter.invalid'],
    [{ end: '2024-02-30' }, '/end', 'filter.invalid'],
    [{ start: '2024-08-09', end: '2024-08-08' }, '/end', 'filter.invalid'],
    [{ cursor: 'AQ' }, '/cursor', 'cursor.invalid'],
  ])('%j is rejected with a pointer to %s', async (body, field, code) => {
    const response = await post('trades', body)
    expect(response.statusCode).toBe(400)
    expect(response.headers['content-type']).toContain('application/problem+json')
    expect(response.json()).toMatchObject({ code, success: false, errors: [{ field }] })
  })

  test('an unknown symbol is a warning if others are known, and 404 if it is the only one', async () => {
    const partly = await trades({ symbols: ['BTC-USDT', 'DOGE-USDT'], venues: ['sim', 'nyse'] })
    expect(partly.warnings.map(({ code }) => code)).toEqual(['venue.unknown', 'symbol.unknown'])
    expect(partly.data).toHaveLength(3)
    const none = await post('trades', { symbols: ['DOGE-USDT'] })
    expect(none.statusCode).toBe(404)
    expect(none.json()).toMatchObject({ code: 'symbol.unknown', errors: [{ field: '/symbols' }] })
    expect((await post('l2events', { venues: ['nyse'] })).json()).toMatchObject({
      code: 'symbol.unknown',
      errors: [{ field: '/venues' }],
    })
  })
})

test('instruments have the range and number of their records', async () => {
  const response = await callAs(app, 'market-data', free, { method: 'GET', url: '/api/v1/instruments' })
  expect(response.json().data).toHaveLength(5)
  expect(response.json().data[0]).toEqual({
    instrument_id: 1,
    venue: 'sim',
    symbol: 'BTC-USDT',
    venue_symbol: 'BTC-USDT',
    base: 'BTC',
    quote: 'USDT',
    size_unit: 'base',
    ts_event_precision: 'ns',
    kind: 'spot',
    tick: '0.5',
    lot: '0.00001',
    multiplier: null,
    aliases: [],
    valid_from: null,
    valid_to: null,
    first_ts_event: '2026-03-19T06:00:00.000000123Z',
    last_ts_event: '2026-03-20T11:00:00.000000123Z',
    trades: 3,
    l2_events: 0,
  })
})

test('an anonymous caller reads the sample of a simulated instrument, newest first, and of no other instrument', async () => {
  const otherUser = { kind: 'anonymous' } as const
  const symbols = await callAs(app, 'market-data', otherUser, { method: 'GET', url: '/api/v1/sample' })
  expect(symbols.json()).toMatchObject({ symbols: ['BTC-USDT', 'ETH-USDT', 'SOL-USDT', 'SPY-USD'] })
  const response = await callAs(app, 'market-data', otherUser, { method: 'GET', url: '/api/v1/sample/BTC-USDT' })
  const sample = response.json<Sample>()
  expect([...Value.Errors(SampleSchema, sample)]).toEqual([])
  expect(sample.data.map(({ id }) => id)).toEqual(['sim:BTC-USDT:t1', 'sim:BTC-USDT:t20', 'sim:BTC-USDT:t30'])
  expect(sample).toMatchObject({ symbol: 'BTC-USDT', has_more: false })
  const unknown = await callAs(app, 'market-data', otherUser, { method: 'GET', url: '/api/v1/sample/DOGE-USDT' })
  expect(unknown.json()).toMatchObject({ status: 404, code: 'symbol.unknown', errors: [{ field: '/symbol' }] })
})
