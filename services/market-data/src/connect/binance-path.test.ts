import type { L2Event } from '@tapeline/contracts/market-data/http'
import { type BinanceVenue, startBinanceVenue } from '@tapeline/testing/venues/binance-venue'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bookOf, openConnectorPath } from '../../test/connector.fixture.ts'
import { canonicalDecimal } from '../decimal.ts'
import { createBinanceFeed } from './feeds/binance-feed.ts'
import type { FeedSession } from './run/feed-session.ts'

let path: Awaited<ReturnType<typeof openConnectorPath>>
let venue: BinanceVenue
let session: FeedSession

beforeAll(async () => {
  path = await openConnectorPath()
  venue = await startBinanceVenue({ symbols: ['BTCUSDT', 'ETHUSDT'] })
  session = await path.connect(createBinanceFeed('spot'), venue.addresses, ['BTC-USDT', 'ETH-USDT'])
  await waitUntil('both books are live', () => {
    for (const symbol of ['BTCUSDT', 'ETHUSDT']) venue.change(symbol)
    return session.report().instruments.every(({ book }) => book === 'live')
  })
})
afterAll(async () => {
  await path.close()
  await venue.stop()
})

test('records from the venue are read over REST: every trade once, and the same book', async () => {
  for (let count = 0; count < 200; count += 1) {
    venue.trade('BTCUSDT')
    venue.change('BTCUSDT')
  }
  await expectSame('BTCUSDT', 'BTC-USDT')
  const events = await path.l2Events('BTC-USDT')
  expect(events.filter(({ type }) => type === 'gap')).toEqual([])
  expect(events.map(({ sequence }) => Number(sequence))).toEqual(events.map((_event, index) => index + 1))
})

test('a missing update is one gap and a new snapshot; missing trades are requested', async () => {
  venue.change('BTCUSDT', false)
  for (const isSent of [true, false, false, true]) venue.trade('BTCUSDT', isSent)
  venue.change('BTCUSDT')
  await liveAgain('BTC-USDT')
  await expectSame('BTCUSDT', 'BTC-USDT')
  const gap = (await path.l2Events('BTC-USDT')).findLast(({ type }) => type === 'gap')
  expect(gap).toMatchObject({ gap: { reason: 'update_ids_missing' } })
  expect((await path.trades('BTC-USDT')).filter(({ flags }) => flags.includes('late'))).toHaveLength(2)
})

test('a lost connection causes one gap in each book and loses no trade', async () => {
  venue.trade('ETHUSDT')
  await waitUntil('a first trade is stored', async () => (await path.trades('ETH-USDT')).length === 1)
  const before = (await path.l2Events('ETH-USDT')).filter(({ type }) => type === 'gap').length
  venue.disconnect()
  for (let count = 0; count < 20; count += 1) venue.trade('ETHUSDT')
  await waitUntil('the connector runs again', () => session.report().is_connected)
  venue.trade('ETHUSDT')
  await liveAgain('ETH-USDT')
  await expectSame('ETHUSDT', 'ETH-USDT')
  const gaps = (await path.l2Events('ETH-USDT')).filter(({ type }) => type === 'gap')
  expect(gaps).toHaveLength(before + 1)
  expect(gaps.at(-1)).toMatchObject({ gap: { reason: 'connection_lost' } })
})

async function liveAgain(symbol: string): Promise<void> {
  const venueSymbol = symbol.replace('-', '')
  await waitUntil(`the book of ${symbol} is live`, () => {
    venue.change(venueSymbol)
    return session.report().instruments.find((one) => one.symbol === symbol)?.book === 'live'
  })
}

async function expectSame(venueSymbol: string, symbol: string): Promise<void> {
  const market = venue.markets.get(venueSymbol)
  if (market === undefined) throw new Error('unknown')
  const last = market.changes.at(-1)?.lastId
  const events = await waitUntil('the last update is stored', async () => {
    const found = await path.l2Events(symbol)
    return found.at(-1)?.venue_last_id === String(last) ? found : undefined
  })
  expectSameBook(events, venueSymbol)
  const expected = market.trades.map(({ id }) => id)
  const trades = await waitUntil('all trades are stored', async () => {
    const found = await path.trades(symbol)
    return found.length >= expected.length ? found : undefined
  })
  const ids = trades.map(({ trade_id }) => Number(trade_id))
  expect(ids.toSorted((one, other) => one - other)).toEqual(expected)
}

function expectSameBook(events: readonly L2Event[], venueSymbol: string): void {
  const book = venue.markets.get(venueSymbol)?.book()
  const canonical = (levels: [string, string][] = []) =>
    levels.map((level) => level.map((text) => canonicalDecimal(text) ?? ''))
  expect(bookOf(events)).toEqual({ bids: canonical(book?.bids), asks: canonical(book?.asks) })
}

test('trades that the venue does not provide are a gap between two that were received', async () => {
  const quiet = await startBinanceVenue({ symbols: ['SOLUSDT'] })
  const { missedTrades: _notProvided, ...feed } = createBinanceFeed('spot')
  await path.connect(feed, quiet.addresses, ['SOL-USDT'])
  await waitUntil('a first trade is stored', async () => {
    quiet.trade('SOLUSDT')
    return (await path.trades('SOL-USDT')).length > 0
  })
  for (const isSent of [true, false, false, true]) quiet.trade('SOLUSDT', isSent)
  await waitUntil('the gap is recorded', async () => (await path.tradeGaps('SOL-USDT')).length > 0)
  const [before, after] = (await path.trades('SOL-USDT')).slice(-2)
  expect(Number(after?.trade_id)).toBe(Number(before?.trade_id) + 3)
  expect(await path.tradeGaps('SOL-USDT')).toMatchObject([
    { from: before?.ts_event, to: after?.ts_event, reason: 'trade_ids_missing' },
  ])
  await quiet.stop()
})
