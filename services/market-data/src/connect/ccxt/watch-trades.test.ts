import { openConnectorPath } from '../../../test/connector.fixture.ts'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { startKrakenVenue } from '@tapeline/testing/venues/kraken-venue'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { registerInstrument } from '../../instruments/register-instrument.ts'
import { startPublisher } from '../run/publisher.ts'
import { createReceiveClock } from '../run/receive-clock.ts'
import { instrumentOfMarket, tradeOfCcxt } from './ccxt-trade.ts'
import { type CcxtExchange, findMarkets, watchTrades } from './watch-trades.ts'

/** Not a dependency: npm install --no-save ccxt. */
const PACKAGE = 'ccxt'
type Kraken = CcxtExchange & {
  urls: { api: { ws: Record<string, string> } }
  setMarkets: (markets: object[]) => void
  safeMarketStructure: (market: object) => object
  loadHttpProxyAgent: () => Promise<unknown>
}
type Ccxt = { pro: { kraken: new (options: object) => Kraken } }
const ccxt = await import(PACKAGE).then(
  (loaded: { default: Ccxt }) => loaded.default,
  () => undefined,
)
const NOW_NS = '1786183200123000000'
let path: Awaited<ReturnType<typeof openConnectorPath>>
beforeAll(async () => {
  path = await openConnectorPath()
})
afterAll(() => path.close())

test.each([
  [{ type: 'spot' }, 'BTC-USDT', 'spot'],
  [{ type: 'swap' }, 'BTC-USDT-PERP', 'perpetual'],
  [{ type: 'future', expiry: Date.parse('2026-12-25T08:00:00Z') }, 'BTC-USDT-20261225', 'dated'],
])('a market of %j is %s', (market, symbol, kind) => {
  const found = instrumentOfMarket('gate', { id: 'BTC_USDT', symbol: 'x', base: 'BTC', quote: 'USDT', ...market })
  expect(found).toMatchObject({ venue: 'gate', symbol, kind, venueSymbol: 'BTC_USDT' })
})

test('options are not instruments, and a trade without an id or with an exponent is skipped', () => {
  expect(
    instrumentOfMarket('gate', { id: 'o', symbol: 'x', base: 'BTC', quote: 'USD', type: 'option' }),
  ).toBeUndefined()
  const trade = { id: '7', timestamp: 1_786_183_200_000, side: 'buy', price: '61837.10', amount: '0.0001' }
  expect(tradeOfCcxt({ ...trade, id: undefined }, NOW_NS)).toBeUndefined()
  expect(tradeOfCcxt({ ...trade, amount: '1e-7' }, NOW_NS)).toBeUndefined()
  expect(tradeOfCcxt(trade, NOW_NS)).toMatchObject({ price: '61837.1', side: 'buy', sideSource: 'estimated', flags: 0 })
  expect(tradeOfCcxt({ ...trade, side: undefined, timestamp: undefined }, NOW_NS)).toMatchObject({
    tsEvent: NOW_NS,
    side: 'unknown',
    sideSource: 'none',
    flags: 4,
  })
})

test('trades that ccxt receives are read over REST, exact and each once', async ({ skip }) => {
  if (ccxt === undefined) return skip('the package ccxt is not installed: skipped')
  const venue = await startKrakenVenue({ symbols: ['BTC/USD'] })
  const exchange = Object.assign(new ccxt.pro.kraken({ newUpdates: true }), { number: String })
  await exchange.loadHttpProxyAgent()
  for (const name of Object.keys(exchange.urls.api.ws)) exchange.urls.api.ws[name] = venue.addresses.socket
  const market = {
    id: 'XXBTZUSD',
    symbol: 'BTC/USD',
    base: 'BTC',
    quote: 'USD',
    type: 'spot',
    spot: true,
    active: true,
  }
  exchange.setMarkets([exchange.safeMarketStructure({ ...market, wsId: 'BTC/USD', info: { wsname: 'XBT/USD' } })])
  const [watched] = await findMarkets(exchange, ['BTC-USD'])
  if (watched === undefined) throw new Error('the market is missing')
  await registerInstrument(path.deps.db, watched.instrument)
  const publisher = startPublisher({ kafka: path.topics.kafka, topicPrefix: path.topics.prefix, logger: silentLogger })
  const stopping = new AbortController()
  const options = { exchange, publisher, clock: createReceiveClock(), logger: silentLogger, firstPauseMs: 20 }
  const watching = watchTrades(watched, { ...options, signal: stopping.signal })
  await waitUntil('it is connected', () => venue.clients().length === 1)
  const stored = await waitUntil('trades are stored', async () => {
    venue.trade('BTC/USD')
    const trades = await path.trades('BTC-USD')
    return trades.length >= 10 ? trades : undefined
  })
  const sent = new Map(venue.markets.get('BTC/USD')?.trades.map(({ id, price, size }) => [String(id), { price, size }]))
  for (const { trade_id, price, size, side_source } of stored) {
    const one = sent.get(trade_id ?? '')
    expect([Number(price), Number(size), side_source]).toEqual([Number(one?.price), Number(one?.size), 'estimated'])
  }
  expect(new Set(stored.map(({ trade_id }) => trade_id)).size).toBe(stored.length)
  stopping.abort()
  await exchange.close()
  await watching
  await publisher.stop()
  await venue.stop()
})
