import { callAs } from '@tapeline/testing/call-as'
import { someUser } from '@tapeline/testing/actors'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { someTrade } from '../../test/records.fixture.ts'
import { openStream, type StreamedRecord } from '../../test/stream/stream-client.fixture.ts'
import { openStreamPlatform, someTrades, type StreamPlatform } from '../../test/stream/stream.fixture.ts'
import { storeAtOnce } from '../store/store-records.ts'

const RECORDS = 60
const START_NS = BigInt(Date.now() - 3_600_000) * 1_000_000n
const actor = someUser({ tier: 'pro' })
let platform: StreamPlatform
let process: Awaited<ReturnType<StreamPlatform['startProcess']>>

beforeAll(async () => {
  platform = await openStreamPlatform()
  process = await platform.startProcess()
})
afterAll(() => platform.stop())

type Page = { data: StreamedRecord[]; next_cursor: string }

async function list(channel: 'trades' | 'l2events', body: object): Promise<Page> {
  const url = `/api/v1/${channel}/list`
  const response = await callAs(process.app, 'market-data', actor, { method: 'POST', url, body })
  expect(response.statusCode, response.body).toBe(200)
  return response.json<Page>()
}

async function untilStored(channel: 'trades' | 'l2events', symbols: string[], rows: number): Promise<void> {
  await waitUntil(`${rows} stored`, async () => {
    const { data } = await list(channel, { symbols, limit: 1000 })
    return data.length >= rows || undefined
  })
}

/** The records as text, in the order of their fields, without `ts_out`. */
const texts = (records: readonly object[]) => records.map((record) => JSON.stringify({ ...record, ts_out: undefined }))

function someBooks(symbol: string, from: number, to: number) {
  const { trades } = someTrades(symbol, START_NS, from, to)
  const l2_events = trades.map(({ source_id, ts_event, ts_recv }, index) => ({
    source_id,
    ts_event,
    ts_recv,
    type: from + index === 0 ? ('snapshot' as const) : ('update' as const),
    bids: [['10', String(index)]] as [string, string][],
    asks: [['11', '1.5']] as [string, string][],
    venue_first_id: null,
    venue_last_id: null,
    venue_prev_id: null,
  }))
  return { venue: 'sim', symbol, trades: [], l2_events }
}

const MAKERS = {
  trades: (symbol: string, from: number, to: number) => someTrades(symbol, START_NS, from, to),
  l2events: someBooks,
}

test.each([
  ['trades', ['BTC-USDT']],
  ['l2events', ['BTC-USDT']],
  ['trades', ['ETH-USDT', 'SOL-USDT']],
] as const)(
  'for every k: %s of %j to record k, then the stream from its cursor, are the uninterrupted sequence',
  async (channel, names) => {
    const symbols = [...names]
    const half = RECORDS / 2
    const make = MAKERS[channel]
    for (const symbol of symbols) await platform.ingest(make(symbol, 0, half))
    const stored = half * symbols.length
    await untilStored(channel, symbols, stored)
    const clients = []
    for (let k = 1; k <= stored; k += 1) {
      const history = await list(channel, { symbols, limit: k })
      const client = await openStream(process.port, actor)
      client.send({ op: 'subscribe', id: 'a', channel, cursor: history.next_cursor })
      clients.push({ k, history: history.data, client })
    }
    for (let from = half; from < RECORDS; from += 6) {
      for (const symbol of symbols) await platform.ingest(make(symbol, from, from + 6))
    }
    const total = RECORDS * symbols.length
    await untilStored(channel, symbols, total)
    const { data: whole } = await list(channel, { symbols, limit: 1000 })
    for (const { k, history, client } of clients) {
      const records = await waitUntil(`${total - history.length} records after ${k}`, async () => {
        const found = client.records('a')
        return found.length >= total - history.length ? found : undefined
      })
      for (const symbol of symbols) {
        const of = (list: readonly StreamedRecord[]) => texts(list.filter((one) => one.symbol === symbol))
        expect([...of(history), ...of(records)], `${symbol}, k = ${k}`).toEqual(of(whole))
      }
      if (symbols.length === 1) expect(texts([...history, ...records]), `k = ${k}`).toEqual(texts(whole))
    }
    await expectCursorsToContinue(clients[0]?.client, { channel, whole, symbols })
    for (const { client } of clients) client.close()
  },
  120_000,
)

type Expected = { channel: 'trades' | 'l2events'; whole: StreamedRecord[]; symbols: string[] }

/** After each batch, the list call has exactly what the stream had not sent yet. */
async function expectCursorsToContinue(
  client: Awaited<ReturnType<typeof openStream>> | undefined,
  { channel, whole, symbols }: Expected,
): Promise<void> {
  const sent = new Set(whole.slice(0, 1).map(({ id }) => id))
  for (const message of client?.received ?? []) {
    if (message.type !== channel || !('cursor' in message)) continue
    for (const { id } of message.data ?? []) sent.add(id)
    const remaining = await list(channel, { cursor: message.cursor, limit: 1000 })
    for (const symbol of symbols) {
      const expected = whole.filter((one) => one.symbol === symbol && !sent.has(one.id))
      expect(texts(remaining.data.filter((one) => one.symbol === symbol))).toEqual(texts(expected))
    }
  }
}

test('records without an announcement are found by the gap in the sequences, and by querying the store', async () => {
  const symbols = ['SPY-USD']
  const client = await openStream(process.port, actor)
  client.send({ op: 'subscribe', id: 'a', channel: 'trades', venues: ['sim'], symbols })
  await client.next('subscribed')
  const trades = Array.from({ length: 30 }, (_value, index) => someTrade(`d${index}`, START_NS + BigInt(index)))
  // Like an import, this announces nothing.
  await storeAtOnce(platform.pool, [{ instrumentId: 4, trades: trades.slice(0, 10), l2Events: [] }])
  await platform.ingest(someTrades('SPY-USD', START_NS + 1_000_000n, 0, 10))
  await waitUntil('the hole is filled', async () => client.records('a').length === 20 || undefined)
  await storeAtOnce(platform.pool, [{ instrumentId: 4, trades: trades.slice(10, 20), l2Events: [] }])
  const late = await waitUntil('late records', async () => client.received.find(({ type }) => type === 'late'))
  expect(late).toMatchObject({ id: 'a', channel: 'trades', omitted: 0 })
  expect(late.data?.map(({ sequence }) => Number(sequence))).toEqual(Array.from({ length: 10 }, (_value, i) => 21 + i))
  expect(client.records('a').map(({ sequence }) => Number(sequence))).toEqual(
    Array.from({ length: 20 }, (_value, index) => index + 1),
  )
  client.close()
})
