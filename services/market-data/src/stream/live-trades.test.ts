import type { TradePage } from '@tapeline/contracts/market-data/http'
import { callAs } from '@tapeline/testing/call-as'
import { someUser } from '@tapeline/testing/actors'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStream } from '../../test/stream/stream-client.fixture.ts'
import { openStreamPlatform, someTrades, type StreamPlatform } from '../../test/stream/stream.fixture.ts'

const BTC = 'BTC-USDT'
const ETH = 'ETH-USDT'
const START_NS = BigInt(Date.now() - 3_600_000) * 1_000_000n
const actor = someUser({ tier: 'pro' })
let platform: StreamPlatform
let process: Awaited<ReturnType<StreamPlatform['startProcess']>>

beforeAll(async () => {
  platform = await openStreamPlatform()
  process = await platform.startProcess()
})
afterAll(() => platform.stop())

async function list(body: object): Promise<TradePage> {
  const response = await callAs(process.app, 'market-data', actor, { method: 'POST', url: '/api/v1/trades/list', body })
  expect(response.statusCode, response.body).toBe(200)
  return response.json<TradePage>()
}

const withoutTsOut = (record: object) => ({ ...record, ts_out: undefined })

test('trades arrive live, equal to those of the list call except ts_out, and the cursor continues in both', async () => {
  const client = await openStream(process.port, actor)
  client.send({ op: 'subscribe', id: 'a', channel: 'trades', venues: ['sim'], symbols: [BTC], cursor: null })
  expect(await client.next('subscribed')).toMatchObject({ id: 'a', channel: 'trades', mode: 'live' })
  await platform.ingest(someTrades(BTC, START_NS, 0, 100))
  await platform.ingest(someTrades(BTC, START_NS, 100, 250))
  await waitUntil('all trades', async () => client.records('a').length >= 250 || undefined)

  const stored = await list({ venues: ['sim'], symbols: [BTC], limit: 1000 })
  expect(client.records('a').map(withoutTsOut)).toEqual(stored.data.map(withoutTsOut))
  expect(client.records('a').every(({ ts_out }) => /^\d{4}-.*\.\d{9}Z$/.test(ts_out))).toBe(true)

  const batch = client.received.find(({ type }) => type === 'trades')
  const cursor = batch && 'cursor' in batch ? batch.cursor : ''
  const read = batch?.data?.length ?? 0
  const remaining = await list({ cursor, limit: 1000 })
  expect(remaining.data).toEqual(stored.data.slice(read))
  const metrics = await process.metrics()
  expect(metrics).toMatch(/^market_data_stream_records_total\{channel="trades"\} 250$/m)
  expect(metrics).toMatch(/^market_data_stream_(?:connections|subscriptions) 1$/m)
  expect(metrics).toMatch(/^market_data_stream_lag_seconds_count [1-9]/m)
  client.close()
})

test('a cursor of the list call continues as a stream, from the store and then live', async () => {
  await platform.ingest(someTrades(ETH, START_NS, 0, 2_000))
  await waitUntil('they are stored', async () => (await list({ symbols: [ETH], limit: 1000 })).has_more || undefined)
  const page = await list({ venues: ['sim'], symbols: [ETH], limit: 300 })
  const client = await openStream(process.port, actor)
  client.send({ op: 'subscribe', id: 'e', channel: 'trades', cursor: page.next_cursor })
  expect(await client.next('subscribed')).toMatchObject({ mode: 'catching_up' })
  await platform.ingest(someTrades(ETH, START_NS, 2_000, 2_100))
  await waitUntil('all trades', async () => client.records('e').length >= 1_800 || undefined)
  const sequences = [...page.data, ...client.records('e')].map(({ sequence }) => Number(sequence))
  expect(sequences).toEqual(Array.from({ length: 2_100 }, (_value, index) => index + 1))
  client.close()
})
