import type { Book, BookChange } from '@tapeline/contracts/market-data/book'
import type { QuotePage } from '@tapeline/contracts/market-data/quotes'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, expect, test } from 'vitest'
import { someBook, someGap } from '../../../test/stream/books.fixture.ts'
import { openStream } from '../../../test/stream/stream-client.fixture.ts'
import { openStreamProcess } from '../../../test/stream/stream-process.fixture.ts'

const EVENTS = 80
const START_NS = BigInt(Date.now() - 3_600_000) * 1_000_000n
const CHANNELS = ['book.10', 'book.50', 'book.full'] as const
const { platform, process, actor, post } = await openStreamProcess()
afterAll(() => platform.stop())

type Client = Awaited<ReturnType<typeof openStream>>
type Page = { data: { sequence: string; ts_event: string }[]; next_cursor: string }

async function untilStored(symbol: string, events: number): Promise<void> {
  await waitUntil(`${events} events stored`, async () => {
    const { data } = await post<Page>('l2events/list', { symbols: [symbol], limit: 1_000 })
    return data.length >= events || undefined
  })
}

/** The book of a client after these records, best first. */
function replay(records: readonly BookChange[]) {
  const sides = { bids: new Map<string, string>(), asks: new Map<string, string>() }
  for (const record of records) {
    for (const side of ['bids', 'asks'] as const) {
      if (record.type !== 'update') sides[side].clear()
      for (const [price, size] of record[side]) {
        if (size === '0') sides[side].delete(price)
        else sides[side].set(price, size)
      }
    }
  }
  const sorted = (levels: Map<string, string>, direction: number) =>
    [...levels].toSorted(([one], [other]) => direction * (Number(one) - Number(other)))
  return { bids: sorted(sides.bids, -1), asks: sorted(sides.asks, 1) }
}

const changesOf = (client: Client) => client.records('a') as unknown as BookChange[]

function depthOf(channel: (typeof CHANNELS)[number]): number {
  return channel === 'book.full' ? 5_000 : Number(channel.slice('book.'.length))
}

/** Waits until the client's book equals the stored one. */
async function untilSameBook(client: Client, symbol: string, channel: (typeof CHANNELS)[number]): Promise<void> {
  const { data } = await post<{ data: Book }>('l2events/book', { venue: 'sim', symbol, depth: depthOf(channel) })
  const expected = JSON.stringify({ bids: data.bids, asks: data.asks })
  await waitUntil(`the book of ${symbol} on ${channel}`, async () => {
    return JSON.stringify(replay(changesOf(client))) === expected || undefined
  })
}

const withoutTsOut = (records: readonly object[]) =>
  records.map((record) => JSON.stringify({ ...record, ts_out: undefined }))

test('bbo for every k: quotes to k, then the stream from their cursor, are the uninterrupted list', async () => {
  const symbol = 'BTC-USDT'
  await platform.ingestVenue(someBook(symbol, START_NS, 0, EVENTS / 2))
  await untilStored(symbol, EVENTS / 2)
  const first = await post<QuotePage>('quotes/list', { symbols: [symbol], limit: 1_000 })
  const clients = []
  for (let k = 1; k <= first.data.length; k += 1) {
    const history = await post<QuotePage>('quotes/list', { symbols: [symbol], limit: k })
    const client = await openStream(process.port, actor)
    client.send({ op: 'subscribe', id: 'a', channel: 'bbo', cursor: history.next_cursor })
    clients.push({ k, history: history.data, client })
  }
  for (let from = EVENTS / 2; from < EVENTS; from += 4)
    await platform.ingestVenue(someBook(symbol, START_NS, from, from + 4))
  await untilStored(symbol, EVENTS)
  const whole = await post<QuotePage>('quotes/list', { symbols: [symbol], limit: 1_000 })
  expect(whole.data.length).toBeGreaterThan(first.data.length + 5)
  for (const { k, history, client } of clients) {
    const records = await waitUntil(`quotes after ${k}`, async () => {
      return history.length + client.records('a').length >= whole.data.length ? client.records('a') : undefined
    })
    expect(withoutTsOut([...history, ...records]), `k = ${k}`).toEqual(withoutTsOut(whole.data))
    const remaining = await post<QuotePage>('quotes/list', { cursor: client.lastCursor(), limit: 1_000 })
    expect(remaining.data).toEqual([])
    client.close()
  }
})

test.each(CHANNELS)(
  '%s for every k: a cursor of events begins with the book after them, then its changes',
  async (channel) => {
    const symbol = 'ETH-USDT'
    const start = START_NS + BigInt(CHANNELS.indexOf(channel)) * 600_000_000_000n
    const before = CHANNELS.indexOf(channel) * EVENTS
    const place = { symbols: [symbol], start: String(start) }
    const book = (from: number, to: number) => {
      const { l2_events, ...rest } = someBook(symbol, start, from, to)
      return { ...rest, l2_events: l2_events.map((one) => ({ ...one, source_id: `${channel} ${one.source_id}` })) }
    }
    await platform.ingestVenue(book(0, EVENTS / 2))
    await untilStored(symbol, before + EVENTS / 2)
    const clients: Client[] = []
    for (let k = 1; k <= EVENTS / 2; k += 3) {
      const { next_cursor: cursor } = await post<Page>('l2events/list', { ...place, limit: k })
      const client = await openStream(process.port, actor)
      client.send({ op: 'subscribe', id: 'a', channel, cursor })
      clients.push(client)
    }
    const live = await openStream(process.port, actor)
    live.send({ op: 'subscribe', id: 'a', channel, venues: ['sim'], symbols: [symbol] })
    await live.next('subscribed')
    for (let from = EVENTS / 2; from < EVENTS; from += 2) await platform.ingestVenue(book(from, from + 2))
    await untilStored(symbol, before + EVENTS)
    for (const client of [live, ...clients]) {
      await untilSameBook(client, symbol, channel)
      const records = changesOf(client)
      expect(records.map(({ type }) => type)).toEqual(['snapshot', ...records.slice(1).map(() => 'update')])
      expect(isRising(records)).toBe(true)
    }
    await expectCursorsToContinue(live, symbol, channel)
    for (const client of [live, ...clients]) client.close()
  },
)

function isRising(records: readonly BookChange[]): boolean {
  return records.every(({ sequence }, index) => index === 0 || Number(sequence) > Number(records[index - 1]?.sequence))
}

/** After each batch, a stream from its cursor has exactly what this one sent afterwards. */
async function expectCursorsToContinue(
  live: Client,
  symbol: string,
  channel: (typeof CHANNELS)[number],
): Promise<void> {
  const whole = changesOf(live)
  let sent = 0
  for (const message of live.received.filter(({ type }) => type === channel)) {
    sent += message.data?.length ?? 0
    const again = await openStream(process.port, actor)
    again.send({ op: 'subscribe', id: 'a', channel, cursor: 'cursor' in message ? message.cursor : null })
    await again.next('subscribed')
    const remaining = whole.slice(sent)
    await waitUntil('the remaining changes', async () => changesOf(again).length >= remaining.length || undefined)
    expect(withoutTsOut(changesOf(again)), `${symbol} after ${sent}`).toEqual(withoutTsOut(remaining))
    again.close()
  }
}

test('a gap is sent, and the next record is the new snapshot', async () => {
  const symbol = 'SOL-USDT'
  await platform.ingestVenue(someBook(symbol, START_NS, 0, 20))
  await untilStored(symbol, 20)
  const client = await openStream(process.port, actor)
  client.send({ op: 'subscribe', id: 'a', channel: 'book.10', venues: ['sim'], symbols: [symbol] })
  client.send({ op: 'subscribe', id: 'q', channel: 'bbo', venues: ['sim'], symbols: [symbol] })
  await waitUntil(
    'both',
    async () => client.received.filter(({ type }) => type === 'subscribed').length === 2 || undefined,
  )
  await platform.ingestVenue(someGap(symbol, START_NS + 20_000_000n))
  await waitUntil('all changes', async () => changesOf(client).length >= 4 || undefined)
  const [snapshot, gap, after, next] = changesOf(client)
  expect([snapshot?.type, after?.type, next?.type]).toEqual(['snapshot', 'snapshot', 'update'])
  expect(gap).toMatchObject({ type: 'gap', bids: [], asks: [], gap: { reason: 'update_ids_missing' } })
  expect(after).toMatchObject({ bids: [['990', '1']], asks: [['1010', '1']], gap: null })
  expect(Number(after?.book_epoch)).toBe(Number(gap?.book_epoch) + 1)
  await waitUntil('all quotes', () => client.records('q').length >= 3)
  const quotes = client.records('q') as unknown as QuotePage['data']
  expect(quotes.map(({ state, bid_price }) => [state, bid_price])).toEqual([
    ['unknown', null],
    ['known', '990'],
    ['known', '991'],
  ])
  client.close()
})

test('a snapshot that another clock stamps before the last update starts the book again, also for clients that reconnect', async () => {
  const symbol = 'SPY-USD'
  await platform.ingestVenue(someBook(symbol, START_NS, 0, 20))
  await untilStored(symbol, 20)
  const client = await openStream(process.port, actor)
  client.send({ op: 'subscribe', id: 'a', channel: 'book.10', venues: ['sim'], symbols: [symbol] })
  await client.next('book.10')
  await platform.ingestVenue(someGap(symbol, START_NS - 3_000_000n))
  await untilStored(symbol, 23)
  await untilSameBook(client, symbol, 'book.10')
  expect(changesOf(client).at(-1)).toMatchObject({ type: 'update', sequence: '23' })
  const other = await platform.startProcess()
  const again = await openStream(other.port, actor)
  again.send({ op: 'subscribe', id: 'a', channel: 'book.10', cursor: client.lastCursor() ?? null })
  await again.next('subscribed')
  const update = { ...someBook(symbol, START_NS, 0, 1).l2_events[0], source_id: 'last', type: 'update' as const }
  const time = String(START_NS + 50_000_000n)
  const last = { ...update, ts_event: time, ts_recv: time, bids: [['992', '7']] as [string, string][], asks: [] }
  const { l2_events, ...rest } = someGap(symbol, START_NS)
  await platform.ingestVenue({ ...rest, l2_events: l2_events.slice(0, 1).map((one) => ({ ...one, ...last })) })
  await untilStored(symbol, 24)
  await untilSameBook(client, symbol, 'book.10')
  await waitUntil('the last change', async () => changesOf(again).at(-1)?.sequence === '24' || undefined)
  const records = [...changesOf(client).filter(({ sequence }) => sequence !== '24'), ...changesOf(again)]
  expect(replay(records)).toEqual(replay(changesOf(client)))
  client.close()
  again.close()
})

test('a field that does not apply to books is rejected', async () => {
  const client = await openStream(process.port, actor)
  client.send({ op: 'subscribe', id: 'a', channel: 'book.10', venues: ['sim'], depth: 5 })
  expect(await client.next('error')).toMatchObject({ id: 'a', problem: { code: 'filter.invalid' } })
  client.close()
})
