import type { BarPage, Bar } from '@tapeline/contracts/market-data/bars'
import { someUser } from '@tapeline/testing/actors'
import { callAs } from '@tapeline/testing/call-as'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStream } from '../../../test/stream/stream-client.fixture.ts'
import { openStreamPlatform, someTrades, type StreamPlatform } from '../../../test/stream/stream.fixture.ts'

const HOUR_NS = 3_600_000_000_000n
const actor = someUser({ tier: 'pro' })
let platform: StreamPlatform
let process: Awaited<ReturnType<StreamPlatform['startProcess']>>

beforeAll(async () => {
  platform = await openStreamPlatform()
  process = await platform.startProcess()
})
afterAll(() => platform.stop())

async function list(body: object): Promise<BarPage> {
  const response = await callAs(process.app, 'market-data', actor, { method: 'POST', url: '/api/v1/trades/bars', body })
  expect(response.statusCode, response.body).toBe(200)
  return response.json<BarPage>()
}

type Client = Awaited<ReturnType<typeof openStream>>

function messagesOf(client: Client): Bar[][] {
  return client.received.flatMap((message) =>
    message.type.startsWith('bars.') ? [message.data as unknown as Bar[]] : [],
  )
}

/** The last state of each bar, as a client would store it. */
function barsOf(client: Client): Bar[] {
  const bars = new Map(messagesOf(client).flatMap((data) => data.map((bar) => [bar.id, bar])))
  return [...bars.values()].toSorted((one, other) => (one.ts_start < other.ts_start ? -1 : 1))
}

const figures = ({ id, open, high, low, close, volume, notional, count, last_sequence }: Bar) => ({
  id,
  open,
  high,
  low,
  close,
  volume,
  notional,
  count,
  last_sequence,
})

async function sameAsListed(client: Client, body: object): Promise<void> {
  await waitUntil('the bars of the list call', async () => {
    const listed = (await list({ ...body, limit: 1_000 })).data.map(figures)
    return JSON.stringify(barsOf(client).map(figures)) === JSON.stringify(listed) || undefined
  })
}

/** An hour ago, on the minute: bars from there on are no longer forming. */
function closedTime(): bigint {
  const hourAgo = BigInt(Date.now()) * 1_000_000n - HOUR_NS
  return hourAgo - (hourAgo % 60_000_000_000n)
}

test('a bar is sent at most once a second while it forms, then as final or revisable, as the list call has it', async () => {
  const client = await openStream(process.port, actor)
  const symbol = 'BTC-USDT'
  const first = BigInt(Date.now()) * 1_000_000n
  await platform.ingest(someTrades(symbol, first, 0, 3))
  await waitUntil('they are stored', async () => (await list({ symbols: [symbol] })).data.length > 0)
  client.send({ op: 'subscribe', id: 'b', channel: 'bars.1s', venues: ['sim'], symbols: [symbol] })
  expect(await client.next('subscribed')).toMatchObject({ channel: 'bars.1s', mode: 'live' })
  const startedMs = performance.now()
  for (let part = 0; part < 12; part += 1) {
    await platform.ingest(someTrades(symbol, BigInt(Date.now()) * 1_000_000n, 100 + part * 3, 103 + part * 3))
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
  const start = await waitUntil('a first bar', () => barsOf(client)[0]?.ts_start)
  await sameAsListed(client, { symbols: [symbol], interval: '1s', start })
  const seconds = (performance.now() - startedMs) / 1_000
  // A bar that a late trade changed after it had closed is sent besides.
  const forming = messagesOf(client).filter((data) => data.some(({ finality }) => finality === 'forming'))
  expect(forming.length).toBeLessThanOrEqual(seconds + 2)
  client.close()
})

test('a late trade sends its bar again', async () => {
  const symbol = 'ETH-USDT'
  const time = closedTime()
  await platform.ingest(someTrades(symbol, time, 0, 30))
  await waitUntil('they are stored', async () => (await list({ symbols: [symbol] })).data[0]?.count === 30)
  const client = await openStream(process.port, actor)
  client.send({ op: 'subscribe', id: 'b', channel: 'bars.1m', venues: ['sim'], symbols: [symbol], start: String(time) })
  await sameAsListed(client, { symbols: [symbol] })
  await platform.ingest(someTrades(symbol, time + 120_000_000_000n, 30, 40))
  await waitUntil('the next bar', async () => barsOf(client).length === 2 || undefined)
  await platform.ingest(someTrades(symbol, time + 1_000_000_000n, 40, 45))
  await waitUntil('the first bar again', async () => barsOf(client)[0]?.count === 35 || undefined)
  await sameAsListed(client, { symbols: [symbol] })
  client.close()
})

test('cursors continue in list calls and streams, and a reconnected client has every bar', async () => {
  const symbol = 'SOL-USDT'
  const time = closedTime()
  const minutes = async (from: number, to: number) => {
    for (let minute = from; minute < to; minute += 1) {
      await platform.ingest(someTrades(symbol, time + BigInt(minute) * 60_000_000_000n, minute * 10, minute * 10 + 10))
    }
  }
  const count = async () => (await list({ symbols: [symbol], limit: 1_000 })).data.length
  await minutes(0, 10)
  await waitUntil('they are stored', async () => (await count()) === 10 || undefined)
  const page = await list({ venues: ['sim'], symbols: [symbol], limit: 4 })
  const client = await openStream(process.port, actor)
  client.send({ op: 'subscribe', id: 'b', channel: 'bars.1m', cursor: page.next_cursor })
  expect(await client.next('subscribed')).toMatchObject({ mode: 'catching_up' })
  await waitUntil('the others', async () => barsOf(client).length === 6 || undefined)
  client.close()

  await minutes(10, 20)
  await waitUntil('they are stored', async () => (await count()) === 20 || undefined)
  const cursor = client.lastCursor() ?? null
  const remaining = await list({ cursor, limit: 1_000 })
  const again = await openStream(process.port, actor)
  again.send({ op: 'subscribe', id: 'b', channel: 'bars.1m', cursor })
  await waitUntil('the remaining bars', async () => barsOf(again).length === remaining.data.length || undefined)
  const all = [...page.data, ...barsOf(client), ...barsOf(again)].map(figures)
  expect(all).toEqual((await list({ symbols: [symbol], limit: 1_000 })).data.map(figures))
  again.close()
})

test('fields that do not apply to bars are rejected', async () => {
  const client = await openStream(process.port, actor)
  client.send({ op: 'subscribe', id: 'b', channel: 'bars.1m', venues: ['sim'], side: 'buy' })
  expect(await client.next('error')).toMatchObject({ id: 'b', problem: { code: 'filter.invalid' } })
  const { next_cursor: cursor } = await list({ venues: ['sim'], interval: '5m' })
  client.send({ op: 'subscribe', id: 'c', channel: 'bars.1m', cursor })
  await waitUntil(
    'the other refusal',
    async () =>
      client.received.some((one) => one.type === 'error' && one.problem.code === 'cursor.filter_mismatch') || undefined,
  )
  client.close()
})
