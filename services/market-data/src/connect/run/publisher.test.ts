import { setTimeout as delay } from 'node:timers/promises'
import { createKafka } from '@tapeline/events/kafka'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openConnectorPath } from '../../../test/connector.fixture.ts'
import { someTrade } from '../../../test/records.fixture.ts'
import { registerInstrument } from '../../instruments/register-instrument.ts'
import { createBinanceFeed } from '../feeds/binance-feed.ts'
import { startPublisher } from './publisher.ts'

const TRADES = 20_000
const FRAME_TRADES = 100
const SECOND_NS = 1_000_000_000n
/** Kafka and the store on a busy machine. */
const WITHIN_MS = 60_000

let path: Awaited<ReturnType<typeof openConnectorPath>>
beforeAll(async () => {
  path = await openConnectorPath()
})
afterAll(() => path.close())

function instrumentOf(symbol: string) {
  const instrument = createBinanceFeed('spot').instrumentOf(symbol)
  if (instrument === undefined) throw new Error('there is no such instrument')
  return instrument
}

test('while Kafka is unavailable, the backlog stays full, also during an attempt to send it', async () => {
  const kafka = createKafka({ brokers: '127.0.0.1:1', clientId: 'test', log: silentLogger })
  const options = { kafka, topicPrefix: path.topics.prefix, logger: silentLogger, stopTimeoutMs: 0 }
  const publisher = startPublisher({ ...options, queueBytesMax: 10_000 })
  const trades = Array.from({ length: 500 }, (_value, index) => someTrade(String(index + 1), String(index + 1)))
  publisher.publish({ instrument: instrumentOf('BTC-USDT'), trades, l2Events: [], tradeGaps: [] })
  for (let sample = 0; sample < 50; sample += 1) {
    expect(publisher.isFull(), `sample ${sample}`).toBe(true)
    await delay(20)
  }
  await publisher.stop()
})

test('a backlog of several megabytes for one partition arrives, in order and each trade once', async () => {
  const instrument = instrumentOf('BTC-USDT')
  await registerInstrument(path.deps.db, instrument)
  const { kafka, prefix: topicPrefix } = path.topics
  const publisher = startPublisher({ kafka, topicPrefix, logger: silentLogger, stopTimeoutMs: WITHIN_MS })
  const start = BigInt(Date.UTC(2026, 0, 5)) * 1_000_000n
  const trades = Array.from({ length: TRADES }, (_value, index) =>
    someTrade(String(index + 1), start + (BigInt(index) * SECOND_NS) / 1_000n),
  )
  for (let from = 0; from < TRADES; from += FRAME_TRADES) {
    publisher.publish({ instrument, trades: trades.slice(from, from + FRAME_TRADES), l2Events: [], tradeGaps: [] })
  }
  await publisher.stop()
  expect(publisher.isFull()).toBe(false)
  await expect.poll(async () => (await path.trades('BTC-USDT')).length, { timeout: WITHIN_MS }).toBe(TRADES)
  const ids = (await path.trades('BTC-USDT')).map(({ trade_id }) => Number(trade_id))
  expect(ids).toEqual(trades.map((_trade, index) => index + 1))
}, 180_000)
