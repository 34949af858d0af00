import { silentLogger } from '@tapeline/testing/silent-logger'
import { startBinanceVenue } from '@tapeline/testing/venues/binance-venue'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openConnectorPath } from '../../test/connector.fixture.ts'
import { parseAddresses, parseConnect } from './parse-connect.ts'
import { NO_RAW_FRAMES } from './run/raw-frames.ts'
import { type Connectors, startConnectors } from './start-connectors.ts'

let path: Awaited<ReturnType<typeof openConnectorPath>>

beforeAll(async () => {
  path = await openConnectorPath()
})
afterAll(() => path.close())

test('of two processes one connects; when it stops, the other continues where the first ended', async () => {
  const venue = await startBinanceVenue({ symbols: ['BTCUSDT'] })
  const { socket, rest } = venue.addresses
  const plans = parseConnect('binance:BTC-USDT', parseAddresses(`binance-spot=${socket}|${rest}`))
  const start = (): Connectors =>
    startConnectors(path.deps, async () => plans, {
      kafka: path.topics.kafka,
      topicPrefix: path.topics.prefix,
      logger: silentLogger,
      raw: () => NO_RAW_FRAMES,
      firstPauseMs: 20,
    })
  const first = start()
  await waitUntil('the first connected', () => venue.clients().length === 1)
  const second = start()
  await waitUntil('records are stored', async () => {
    venue.change('BTCUSDT')
    venue.trade('BTCUSDT')
    expect(venue.clients().length).toBeLessThanOrEqual(1)
    return (await path.l2Events('BTC-USDT')).length > 5
  })
  const before = venue.connections()
  await first.stop()
  for (let count = 0; count < 5; count += 1) venue.trade('BTCUSDT', false)
  await waitUntil('the second connected', () => venue.connections() > before)
  await waitUntil('a book after the gap', async () => {
    venue.change('BTCUSDT')
    return (await path.l2Events('BTC-USDT')).filter(({ type }) => type === 'snapshot').length > before
  })
  const ids = venue.markets.get('BTCUSDT')?.trades.map(({ id }) => id) ?? []
  await waitUntil('every trade is stored', async () => {
    const stored = (await path.trades('BTC-USDT')).map(({ trade_id }) => Number(trade_id))
    return stored.length > 0 && ids.filter((id) => id >= Math.min(...stored)).length === stored.length
  })
  const gaps = (await path.l2Events('BTC-USDT')).filter(({ type }) => type === 'gap')
  const reasons = gaps.map(({ gap }) => gap?.reason)
  expect(reasons.filter((reason) => reason === 'connector_stopped')).toHaveLength(before)
  // A process that takes over before the last gap of the other is stored reports the interruption as well.
  expect([[], ['connector_restarted']]).toContainEqual(reasons.filter((reason) => reason !== 'connector_stopped'))
  await second.stop()
  await venue.stop()
})
