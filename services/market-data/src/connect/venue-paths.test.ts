import { startBinanceVenue } from '@tapeline/testing/venues/binance-venue'
import { startCoinbaseVenue } from '@tapeline/testing/venues/coinbase-venue'
import { startKrakenVenue } from '@tapeline/testing/venues/kraken-venue'
import { startOkxVenue } from '@tapeline/testing/venues/okx-venue'
import type { Venue } from '@tapeline/testing/venues/venue'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bookOf, openConnectorPath } from '../../test/connector.fixture.ts'
import { canonicalDecimal } from '../decimal.ts'
import { createBinanceFeed } from './feeds/binance-feed.ts'
import { createCoinbaseFeed } from './feeds/coinbase-feed.ts'
import type { Feed } from './feeds/feed.ts'
import { createKrakenFeed } from './feeds/kraken-feed.ts'
import { createOkxFeed } from './feeds/okx-feed.ts'

let path: Awaited<ReturnType<typeof openConnectorPath>>
const venues: Venue[] = []

beforeAll(async () => {
  path = await openConnectorPath()
})
afterAll(async () => {
  await path.close()
  for (const venue of venues) await venue.stop()
})

type Case = [
  name: string,
  feed: Feed,
  symbol: string,
  venueSymbol: string,
  start: (symbols: string[]) => Promise<Venue>,
]
const cases: Case[] = [
  ['Binance spot', createBinanceFeed('spot'), 'BTC-USDT', 'BTCUSDT', (symbols) => startBinanceVenue({ symbols })],
  [
    'Binance USD-M',
    createBinanceFeed('usdm'),
    'BTC-USDT-PERP',
    'BTCUSDT',
    (symbols) => startBinanceVenue({ symbols, isFutures: true }),
  ],
  [
    'Binance COIN-M',
    createBinanceFeed('coinm'),
    'BTC-USD-PERP',
    'BTCUSD_PERP',
    (symbols) => startBinanceVenue({ symbols, isFutures: true }),
  ],
  ['Kraken', createKrakenFeed(), 'BTC-EUR', 'BTC/EUR', (symbols) => startKrakenVenue({ symbols })],
  ['Coinbase', createCoinbaseFeed(), 'BTC-GBP', 'BTC-GBP', (symbols) => startCoinbaseVenue({ symbols })],
  ['OKX', createOkxFeed(), 'ETH-USDT-PERP', 'ETH-USDT-SWAP', (symbols) => startOkxVenue({ symbols })],
]

test.each(cases)('%s: trades and book are complete, also after a lost connection', async (...one) => {
  const [, feed, symbol, venueSymbol, start] = one
  const venue = await start([venueSymbol])
  venues.push(venue)
  const session = await path.connect(feed, venue.addresses, [symbol])
  const isLive = () => {
    venue.change(venueSymbol)
    return session.report().instruments[0]?.book === 'live'
  }
  await waitUntil('the book is live', isLive)
  venue.trade(venueSymbol)
  await waitUntil('a trade is stored', async () => (await path.trades(symbol)).length > 0)
  for (let count = 0; count < 40; count += 1) {
    venue.change(venueSymbol)
    venue.trade(venueSymbol)
  }
  venue.disconnect()
  for (let count = 0; count < 7; count += 1) venue.trade(venueSymbol, false)
  await waitUntil('it connected again', () => venue.connections() > 1 && isLive())
  venue.trade(venueSymbol)
  venue.change(venueSymbol)
  const market = venue.markets.get(venueSymbol)
  const canonical = (levels: [string, string][] = []) =>
    levels.map((level) => level.map((text) => canonicalDecimal(text) ?? ''))
  const expected = { bids: canonical(market?.book().bids), asks: canonical(market?.book().asks) }
  await waitUntil('the last change is stored', async () => {
    const book = bookOf(await path.l2Events(symbol))
    return JSON.stringify(book) === JSON.stringify(expected)
  })
  const gaps = (await path.l2Events(symbol)).filter(({ type }) => type === 'gap')
  expect(gaps.map(({ gap }) => gap?.reason)).toEqual(['connection_lost'])
  if (feed.missedTrades === undefined) return
  const ids = market?.trades.map(({ id }) => id)
  await waitUntil('every trade is stored', async () => (await path.trades(symbol)).length === ids?.length)
  const stored = (await path.trades(symbol)).map(({ trade_id }) => Number(trade_id))
  expect(stored.toSorted((left, right) => left - right)).toEqual(ids)
})
