import { type BinanceVenue, errorResponse, startBinanceVenue } from '@tapeline/testing/venues/binance-venue'
import { startKrakenVenue } from '@tapeline/testing/venues/kraken-venue'
import { silentLogger } from '@tapeline/testing/silent-logger'
import type { Venue } from '@tapeline/testing/venues/venue'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterEach, expect, test } from 'vitest'
import { instrumentsOf } from '../../test/connector.fixture.ts'
import { canonicalDecimal } from '../decimal.ts'
import { FLAGS, type L2Record, type TradeRecord } from '../store/record.ts'
import { createBinanceFeed } from './feeds/binance-feed.ts'
import type { Feed } from './feeds/feed.ts'
import { createKrakenFeed } from './feeds/kraken-feed.ts'
import { type FeedSession, startFeedSession } from './run/feed-session.ts'
import { NO_RAW_FRAMES } from './run/raw-frames.ts'
import { createReceiveClock } from './run/receive-clock.ts'

const PING_EVERY_MS = 200
const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

type Quick = { pingEveryMs?: number; connectionAgeMaxMs?: number }
type Connected = { session: FeedSession; l2Events: L2Record[]; trades: TradeRecord[] }

/** A session whose records are kept in memory. */
function connect(feed: Feed, venue: Venue, symbol: string, { pingEveryMs = 10_000, ...rest }: Quick = {}): Connected {
  const l2Events: L2Record[] = []
  const trades: TradeRecord[] = []
  const session = startFeedSession({
    feed,
    addresses: venue.addresses,
    instruments: instrumentsOf(feed, [symbol]),
    publisher: {
      publish(output) {
        l2Events.push(...output.l2Events)
        trades.push(...output.trades)
      },
      isFull: () => false,
      stop: async () => undefined,
    },
    clock: createReceiveClock(),
    raw: NO_RAW_FRAMES,
    logger: silentLogger,
    pingEveryMs,
    firstPauseMs: 10,
    ...rest,
  })
  closing.push(session.stop, venue.stop)
  return { session, l2Events, trades }
}

async function binance(quick: Quick = {}): Promise<Connected & { venue: BinanceVenue }> {
  const venue = await startBinanceVenue({ symbols: ['BTCUSDT'] })
  const connected = connect(createBinanceFeed('spot'), venue, 'BTC-USDT', quick)
  await live(connected, venue)
  return { ...connected, venue }
}

async function live({ session }: Pick<Connected, 'session'>, venue: Venue): Promise<void> {
  const [symbol = ''] = venue.markets.keys()
  await waitUntil('the book is live', () => {
    venue.change(symbol)
    return session.report().instruments[0]?.book === 'live'
  })
}

function gapsOf({ l2Events }: Pick<Connected, 'l2Events'>): (string | undefined)[] {
  return l2Events.filter(({ type }) => type === 'gap').map(({ gap }) => gap?.reason)
}

/** After the last change was published, the records describe the venue's book, in the order of their times. */
async function expectVenueBook({ l2Events }: Pick<Connected, 'l2Events'>, venue: Venue): Promise<void> {
  const [market] = venue.markets.values()
  const canonical = (levels: [string, string][] = []) =>
    levels.map((level) => level.map((text) => canonicalDecimal(text) ?? ''))
  const { bids, asks } = market?.book() ?? {}
  await waitUntil('the books are equal', () => {
    const book = replay(l2Events)
    expect(book).toEqual({ bids: canonical(bids), asks: canonical(asks) })
    return true
  })
  const times = l2Events.map(({ tsEvent }) => tsEvent)
  expect(times).toEqual(times.toSorted((one, other) => (BigInt(one) < BigInt(other) ? -1 : 1)))
}

function replay(events: readonly L2Record[]): { bids: string[][]; asks: string[][] } {
  const sides = { bids: new Map<string, string>(), asks: new Map<string, string>() }
  for (const event of events) {
    for (const side of ['bids', 'asks'] as const) {
      if (event.type !== 'update') sides[side].clear()
      for (const [price, size] of event[side]) {
        if (size === '0') sides[side].delete(price)
        else sides[side].set(price, size)
      }
    }
  }
  const sorted = (side: Map<string, string>, sign: 1 | -1) =>
    [...side].toSorted(([one], [other]) => sign * (Number(one) - Number(other)))
  return { bids: sorted(sides.bids, -1), asks: sorted(sides.asks, 1) }
}

test('duplicates change nothing', async () => {
  const { venue, ...connected } = await binance()
  for (let count = 0; count < 20; count += 1) {
    const [change, trade] = [venue.change('BTCUSDT'), venue.trade('BTCUSDT')]
    venue.send(change)
    venue.send(trade)
  }
  await expectVenueBook(connected, venue)
  expect(gapsOf(connected)).toEqual([])
  await waitUntil('all trades', () => connected.trades.length === 20)
  expect(new Set(connected.trades.map(({ sourceId }) => sourceId)).size).toBe(20)
})

test('reordered updates are a gap, reordered trades are not', async () => {
  const { venue, ...connected } = await binance()
  venue.trade('BTCUSDT')
  const trades = [venue.trade('BTCUSDT', false), venue.trade('BTCUSDT', false)]
  for (const text of trades.toReversed()) venue.send(text)
  const changes = [venue.change('BTCUSDT', false), venue.change('BTCUSDT', false)]
  for (const text of changes.toReversed()) venue.send(text)
  await waitUntil('the gap', () => gapsOf(connected).length === 1)
  await live(connected, venue)
  await expectVenueBook(connected, venue)
  expect(gapsOf(connected)).toEqual(['update_ids_missing'])
  await waitUntil('all trades', () => connected.trades.length === 3)
})

test('a stale snapshot is discarded, and the connector requests snapshots until it receives a newer one', async () => {
  const { venue, ...connected } = await binance()
  venue.freezeSnapshots(true)
  for (let count = 0; count < 5; count += 1) venue.change('BTCUSDT')
  venue.change('BTCUSDT', false)
  venue.change('BTCUSDT')
  const before = venue.requests.length
  await waitUntil('two stale snapshots', () => venue.requests.length >= before + 2)
  expect(connected.session.report().instruments[0]?.book).not.toBe('live')
  venue.freezeSnapshots(false)
  await live(connected, venue)
  await expectVenueBook(connected, venue)
  expect(gapsOf(connected)).toEqual(['update_ids_missing'])
})

test.each([
  [429, 'Too many requests.'],
  [418, 'Way too many requests; IP banned until 1786183200000.'],
])('after %i nothing is requested until the venue allows it', async (status, text) => {
  const { venue, ...connected } = await binance()
  const before = venue.requests.length
  venue.answerNext(errorResponse(status, -1003, text, { 'retry-after': '1' }))
  venue.change('BTCUSDT', false)
  venue.change('BTCUSDT')
  await waitUntil('a request was refused', () => venue.requests.length > before)
  await live(connected, venue)
  expect(venue.requests).toHaveLength(before + 2)
  const [refusedMs = Infinity, againMs = 0] = venue.requestTimesMs.slice(before)
  expect(againMs - refusedMs).toBeGreaterThan(950)
  await expectVenueBook(connected, venue)
})

test('a venue that ends connections after 24 h: one gap, and every trade of the pause', async () => {
  const { venue, ...connected } = await binance()
  venue.trade('BTCUSDT')
  venue.closeAll(1008)
  venue.trade('BTCUSDT')
  await waitUntil('it connected again', () => venue.connections() === 2)
  await live(connected, venue)
  await expectVenueBook(connected, venue)
  expect(gapsOf(connected)).toEqual(['connection_closed_1008'])
  await waitUntil('both trades', () => connected.trades.length === 2)
})

test('a connection is renewed before the venue ends it', async () => {
  const { venue, ...connected } = await binance({ connectionAgeMaxMs: 300 })
  await waitUntil('it was renewed', () => {
    venue.change('BTCUSDT')
    return gapsOf(connected).length > 0
  })
  expect(gapsOf(connected)[0]).toBe('connection_renewed')
  await waitUntil('it connected again', () => venue.connections() >= 2)
})

test('a truncated frame ends the connection and is not interpreted', async () => {
  const { venue, ...connected } = await binance()
  const frame = venue.change('BTCUSDT', false)
  venue.send(frame.slice(0, frame.length / 2))
  await waitUntil('the gap', () => gapsOf(connected).length === 1)
  await waitUntil('it connected again', () => venue.connections() === 2)
  await live(connected, venue)
  await expectVenueBook(connected, venue)
  expect(gapsOf(connected)).toEqual(['frame_unreadable'])
})

test('the connection is closed if the venue answers no ping and sends nothing', async () => {
  const { venue, ...connected } = await binance({ pingEveryMs: PING_EVERY_MS })
  venue.mutePongs(true)
  await waitUntil('the gap', () => gapsOf(connected).includes('connection_silent'))
  venue.mutePongs(false)
  await waitUntil('it connected again', () => venue.connections() >= 2 && connected.session.report().is_connected)
  await live(connected, venue)
})

test('a venue clock that jumps back leaves the book readable by time', async () => {
  const { venue, ...connected } = await binance()
  venue.change('BTCUSDT')
  venue.markets.get('BTCUSDT')?.jump(-5_000)
  for (let count = 0; count < 3; count += 1) venue.change('BTCUSDT')
  await expectVenueBook(connected, venue)
  expect(gapsOf(connected)).toEqual([])
  expect(connected.l2Events.at(-1)?.flags).toBe(FLAGS.bad_ts_event)
})

test('a wrong checksum causes a gap at that message, and a new subscription', async () => {
  const venue = await startKrakenVenue({ symbols: ['BTC/USD'] })
  const connected = connect(createKrakenFeed(), venue, 'BTC-USD')
  await live(connected, venue)
  for (let count = 0; count < 30; count += 1) venue.change('BTC/USD')
  venue.send(venue.change('BTC/USD', false).replace(/"checksum":\d+/, '"checksum":1'))
  await waitUntil('the gap', () => gapsOf(connected).length === 1)
  await live(connected, venue)
  const gap = connected.l2Events.findIndex(({ type }) => type === 'gap')
  expect(connected.l2Events[gap + 1]?.type).toBe('snapshot')
  await expectVenueBook(connected, venue)
  expect(gapsOf(connected)).toEqual(['checksum_mismatch'])
  expect(venue.connections()).toBe(1)
})

test('a lost Kraken update is found by the checksum', async () => {
  const venue = await startKrakenVenue({ symbols: ['BTC/USD'] })
  const connected = connect(createKrakenFeed(), venue, 'BTC-USD')
  await live(connected, venue)
  for (let count = 0; count < 10; count += 1) venue.change('BTC/USD', false)
  await waitUntil('the gap', () => {
    venue.change('BTC/USD')
    return gapsOf(connected).length === 1
  })
  await live(connected, venue)
  await expectVenueBook(connected, venue)
})
