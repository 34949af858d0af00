import { type BinanceVenue, errorResponse, startBinanceVenue } from '@tapeline/testing/venues/binance-venue'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openConnectorPath } from '../../test/connector.fixture.ts'
import { createBinanceFeed } from './feeds/binance-feed.ts'

let path: Awaited<ReturnType<typeof openConnectorPath>>
const venues: BinanceVenue[] = []

beforeAll(async () => {
  path = await openConnectorPath()
})
afterAll(async () => {
  await path.close()
  for (const venue of venues) await venue.stop()
})

/** A connected market of which one trade is stored. */
async function connect(base: string) {
  const [symbol, venueSymbol] = [`${base}-USDT`, `${base}USDT`]
  const venue = await startBinanceVenue({ symbols: [venueSymbol] })
  venues.push(venue)
  const open = () => path.connect(createBinanceFeed('spot'), venue.addresses, [symbol])
  const session = await open()
  await waitUntil('the book is live', () => {
    venue.change(venueSymbol)
    return session.report().instruments[0]?.book === 'live'
  })
  venue.trade(venueSymbol)
  await waitUntil('the trade is stored', async () => (await path.trades(symbol)).length > 0)
  const market = venue.markets.get(venueSymbol)
  if (market === undefined) throw new Error('unknown')
  return {
    symbol,
    venue,
    session,
    open,
    market,
    trade: (isSent = true) => venue.trade(venueSymbol, isSent),
    everyTradeIsStored: () =>
      waitUntil('every trade is stored', async () => (await path.trades(symbol)).length === market.trades.length),
  }
}

/** The first and last missing ids of each gap, open or filled. */
async function gapsOf(symbol: string, isFilled: boolean): Promise<number[][]> {
  const { rows } = await path.database.pool.query<{ from_id: string; to_id: string }>(
    `select from_id, to_id from trade_gap join instrument using (instrument_id)
     where symbol = $1 and (filled_at is not null) = $2 order by from_id`,
    [symbol, isFilled],
  )
  return rows.map(({ from_id, to_id }) => [Number(from_id), Number(to_id)])
}

/** No REST request of the session that gets this answer is sent for an hour. */
const BANNED = errorResponse(429, -1003, 'Too many requests.', { 'retry-after': '3600' })

test('trades are a gap while they are requested, and the next session requests them if this one ends', async () => {
  const { symbol, venue, session, open, trade, market, everyTradeIsStored } = await connect('BTC')
  venue.answerNext(BANNED)
  for (const isSent of [false, false, true]) trade(isSent)
  await waitUntil('the gap is in coverage', async () => (await path.tradeGaps(symbol)).length > 0)
  const [before, after] = await path.trades(symbol)
  expect(await path.tradeGaps(symbol)).toMatchObject([
    { from: before?.ts_event, to: after?.ts_event, reason: 'trade_ids_missing' },
  ])
  await session.stop()
  await open()
  await everyTradeIsStored()
  await waitUntil('the gap is closed', async () => (await path.tradeGaps(symbol)).length === 0)
  expect(await gapsOf(symbol, true)).toEqual([[market.trades[1]?.id, market.trades[2]?.id]])
  // The stopped session did not report that the venue does not provide them.
  expect(session.report().last_error).toBeNull()
})

test('the gap shrinks to the trades that the venue does not provide', async () => {
  const { symbol, trade, market } = await connect('ETH')
  for (let count = 0; count < 4; count += 1) trade(false)
  const [first, second, , last] = market.trades.slice(1).map(({ id }) => id)
  market.trades.splice(1, 2)
  trade()
  await waitUntil('it is smaller', async () => (await gapsOf(symbol, true)).length > 0)
  expect(await gapsOf(symbol, true)).toEqual([[first, last]])
  expect(await gapsOf(symbol, false)).toEqual([[first, second]])
})

test('trades that arrive out of order close their gap', async () => {
  const { symbol, venue, trade, market, everyTradeIsStored } = await connect('SOL')
  const texts = [trade(false), trade(false), trade(false)]
  for (const text of texts.toReversed()) venue.send(text)
  await everyTradeIsStored()
  await waitUntil('the gap is closed', async () => (await gapsOf(symbol, false)).length === 0)
  expect(await gapsOf(symbol, true)).toEqual([[market.trades[1]?.id, market.trades[2]?.id]])
})
