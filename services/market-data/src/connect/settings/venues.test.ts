import type { UserActor } from '@tapeline/contracts/actor'
import type { SaveVenue, Venue } from '@tapeline/contracts/market-data/venues'
import { someUser } from '@tapeline/testing/actors'
import { callAs, testInternalKeys } from '@tapeline/testing/call-as'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { startBinanceVenue } from '@tapeline/testing/venues/binance-venue'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openConnectorPath } from '../../../test/connector.fixture.ts'
import { createApp } from '../../app.ts'
import { parseAddresses } from '../parse-connect.ts'
import { NO_RAW_FRAMES } from '../run/raw-frames.ts'
import { type Connectors, startConnectors } from '../start-connectors.ts'
import { createConfiguredFeeds } from './configured-feeds.ts'

const admin = someUser({ role: 'admin' })
const NOTHING: SaveVenue = { symbols: [], is_paused: false, version: 0 }
let path: Awaited<ReturnType<typeof openConnectorPath>>
let app: Awaited<ReturnType<typeof createApp>>

beforeAll(async () => {
  path = await openConnectorPath()
  app = await createApp(path.deps, { logger: silentLogger, internalKeys: testInternalKeys, checks: {} })
})
beforeEach(async () => void (await path.database.pool.query('truncate venue, venue_feed_report, outbox')))
afterAll(async () => {
  await app.close()
  await path.close()
})

async function list(actor: UserActor = admin): Promise<Venue[]> {
  const response = await callAs(app, 'market-data', actor, { method: 'GET', url: '/api/v1/admin/venues' })
  expect(response.statusCode, response.body).toBe(200)
  return response.json<{ data: { venues: Venue[] } }>().data.venues
}

const venue = async (name: string) => (await list()).find((one) => one.venue === name)

async function save(name: string, body: object, actor: UserActor = admin) {
  const url = `/api/v1/admin/venues/${name}`
  const response = await callAs(app, 'market-data', actor, { method: 'PUT', url, body: { ...NOTHING, ...body } })
  return { status: response.statusCode, body: response.json() }
}

/** Starts connectors as main.ts does, with the setting CONNECT. */
function connect(configured: Record<string, string[]>, addresses: string): Connectors {
  const feeds = createConfiguredFeeds(path.deps, new Map(Object.entries(configured)), parseAddresses(addresses))
  return startConnectors(path.deps, feeds, {
    kafka: path.topics.kafka,
    topicPrefix: path.topics.prefix,
    logger: silentLogger,
    raw: () => NO_RAW_FRAMES,
    firstPauseMs: 20,
  })
}

test('nothing is connected at first, and every venue that can be is listed', async () => {
  expect((await list()).map(({ venue, feeds, version }) => [venue, feeds, version])).toEqual(
    ['binance', 'coinbase', 'kraken', 'okx'].map((name) => [name, [], 0]),
  )
})

test('a change is stored once with its event; an outdated version is rejected and nothing else changes', async () => {
  const symbols = ['BTC-USDT', 'BTC-USDT-PERP', 'BTC-USDT']
  expect((await save('binance', { symbols, reason: ' more depth ' })).status).toBe(200)
  expect(await venue('binance')).toMatchObject({
    symbols: ['BTC-USDT', 'BTC-USDT-PERP'],
    version: 1,
    feeds: [
      { feed: 'binance-spot', state: 'not_running', instruments: [{ symbol: 'BTC-USDT', gaps: 0 }] },
      { feed: 'binance-usdm', state: 'not_running' },
    ],
  })
  const outdated = await save('binance', { symbols: [] })
  expect([outdated.status, outdated.body.code]).toEqual([409, 'venue.changed_meanwhile'])
  expect((await save('binance', { symbols, version: 1 })).body.data.saved.version).toBe(1)
  const { rows } = await path.database.pool.query<{ envelope: unknown }>('select envelope from outbox')
  expect(rows.map(({ envelope }) => envelope)).toMatchObject([
    {
      type: 'market-data.venue-changed.v1',
      actorid: admin.userId,
      data: {
        venue: 'binance',
        before: { symbols: [], is_paused: false },
        after: { symbols: ['BTC-USDT', 'BTC-USDT-PERP'], is_paused: false },
        reason: 'more depth',
      },
    },
  ])
})

test.each([
  ['nasdaq', ['BTC-USD'], 404, 'venue.unknown'],
  ['kraken', ['BTC-USD', 'BTCUSD'], 400, 'venue.symbol_unknown'],
  ['coinbase', ['BTC-USDT-PERP'], 400, 'venue.symbol_unknown'],
])('%s with %j is rejected', async (name, symbols, status, code) => {
  const refused = await save(name, { symbols })
  expect([refused.status, refused.body.code]).toEqual([status, code])
  expect((await list()).every(({ version }) => version === 0)).toBe(true)
})

test('only administrators with a session see and change connections', async () => {
  const others = [someUser(), someUser({ role: 'tester' }), someUser({ role: 'admin', keyId: crypto.randomUUID() })]
  for (const actor of others) {
    const read = await callAs(app, 'market-data', actor, { method: 'GET', url: '/api/v1/admin/venues' })
    expect([read.statusCode, (await save('kraken', {}, actor)).status]).toEqual([403, 403])
  }
})

test('a running process follows: it connects, reports, pauses and resumes without a restart', async () => {
  const emulated = await startBinanceVenue({ symbols: ['BTCUSDT', 'ETHUSDT'] })
  const { socket, rest } = emulated.addresses
  const connectors = connect({ binance: ['ETH-USDT'] }, `binance-spot=${socket}|${rest}`)
  const feed = async () => (await venue('binance'))?.feeds[0]
  await waitUntil('the configured symbol is connected', async () => (await feed())?.state === 'connected')
  expect(await venue('binance')).toMatchObject({ symbols: [], configured_symbols: ['ETH-USDT'], version: 0 })

  await save('binance', { symbols: ['BTC-USDT'] })
  await waitUntil('both books are live', async () => {
    for (const symbol of emulated.markets.keys()) {
      emulated.change(symbol)
      // A book whose venue clock is behind its snapshot has no lag; trades always have one.
      emulated.trade(symbol)
    }
    const instruments = (await feed())?.instruments ?? []
    return instruments.length === 2 && instruments.every(({ book, lag_ms }) => book === 'live' && lag_ms !== null)
  })
  expect(await feed()).toMatchObject({ state: 'connected', last_error: null, messages: expect.any(Number) })

  emulated.disconnect()
  await waitUntil('the loss and its gap are reported', async () => {
    const now = await feed()
    return now?.last_error === 'connection_lost' && now.instruments.every(({ last_gap }) => last_gap !== null)
  })

  await save('binance', { symbols: ['BTC-USDT'], is_paused: true, version: 1 })
  await waitUntil('nothing is connected', () => emulated.clients().length === 0)
  expect(await feed()).toMatchObject({ state: 'paused', is_connected: false })

  await save('binance', { symbols: [], is_paused: false, version: 2 })
  await waitUntil('the configured symbol is connected again', async () => (await feed())?.state === 'connected')
  expect((await feed())?.instruments.map(({ symbol }) => symbol)).toEqual(['ETH-USDT'])
  await connectors.stop()
  await emulated.stop()
})
