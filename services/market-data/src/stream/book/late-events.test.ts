import type { Book, BookChange } from '@tapeline/contracts/market-data/book'
import type { QuotePage } from '@tapeline/contracts/market-data/quotes'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, expect, test } from 'vitest'
import { someL2Event } from '../../../test/records.fixture.ts'
import { someBook, someGap } from '../../../test/stream/books.fixture.ts'
import { openStream } from '../../../test/stream/stream-client.fixture.ts'
import { openStreamProcess } from '../../../test/stream/stream-process.fixture.ts'
import { storeAtOnce } from '../../store/store-records.ts'

const MINUTE_NS = 60_000_000_000n
const START_NS = BigInt(Date.now() - 3_600_000) * 1_000_000n
const EVENTS = 20
/** More late events than a stream sends. */
const IMPORTED = 1_001
const { platform, process, actor, post } = await openStreamProcess()
afterAll(() => platform.stop())

type Client = Awaited<ReturnType<typeof openStream>>

async function bookOf(symbol: string): Promise<Book> {
  return (await post<{ data: Book }>('l2events/book', { venue: 'sim', symbol, depth: 10 })).data
}

/** The live book of a symbol, and a client that follows it and its quotes. */
async function followBook(symbol: string): Promise<Client> {
  await platform.ingestVenue(someBook(symbol, START_NS, 0, EVENTS))
  await waitUntil('they are stored', async () => Number((await bookOf(symbol)).sequence) === EVENTS)
  const client = await openStream(process.port, actor)
  for (const [id, channel] of [
    ['a', 'book.10'],
    ['q', 'bbo'],
  ] as const) {
    client.send({ op: 'subscribe', id, channel, venues: ['sim'], symbols: [symbol] })
  }
  await waitUntil('both begin', () => client.received.filter(({ type }) => type === 'subscribed').length === 2)
  return client
}

/** The next updates, each with a size of its own at a price of its own, a minute apart. */
async function continueBook(symbol: string, minutes: readonly number[] = [1, 2, 3]): Promise<void> {
  const [update] = someBook(symbol, START_NS, 1, 2).l2_events
  if (update === undefined) throw new Error('no update')
  const l2_events = minutes.map((minute) => {
    const time = String(START_NS + BigInt(minute) * MINUTE_NS)
    const bids: [string, string][] = [['999.75', String(minute)]]
    return { ...update, source_id: `minute ${minute}`, ts_event: time, ts_recv: time, bids, asks: [] }
  })
  await platform.ingestVenue({ venue: 'sim', symbol, trades: [], l2_events })
}

const changesOf = (client: Client) => client.records('a') as unknown as BookChange[]

test('after an import of older events the book and its quotes continue', async () => {
  const symbol = 'BTC-USDT'
  const client = await followBook(symbol)
  const l2Events = Array.from({ length: IMPORTED }, (_value, index) => {
    const time = START_NS - 120n * MINUTE_NS + BigInt(index)
    return someL2Event(`imported ${index}`, time, index === 0 ? { type: 'snapshot' } : {})
  })
  await storeAtOnce(platform.pool, [{ instrumentId: 1, trades: [], l2Events }])
  await waitUntil('a notice of the import', () => client.received.find(({ type }) => type === 'late'))
  await continueBook(symbol)
  const last = await waitUntil('the last change', () =>
    changesOf(client).find(({ sequence }) => Number(sequence) === EVENTS + IMPORTED + 3),
  )
  expect(last).toMatchObject({ type: 'update', bids: [['999.75', '3']] })
  await waitUntil('its quote', () =>
    client.records('q').some(({ sequence }) => Number(sequence) === EVENTS + IMPORTED + 3),
  )
  client.close()
})

test('the book and its quotes continue at once after every portion of an import', async () => {
  const symbol = 'SOL-USDT'
  const client = await followBook(symbol)
  const portion = (from: number, until: number) =>
    Array.from({ length: until - from }, (_value, index) => {
      const time = START_NS - 120n * MINUTE_NS + BigInt(from + index)
      return someL2Event(`imported ${from + index}`, time, from + index === 0 ? { type: 'snapshot' } : {})
    })
  for (const minute of [1, 2, 3]) {
    const l2Events = portion((minute - 1) * 10, minute * 10)
    await storeAtOnce(platform.pool, [{ instrumentId: 3, trades: [], l2Events }])
    await continueBook(symbol, [minute])
    const sequence = String(EVENTS + minute * 11)
    await waitUntil(`change ${minute}`, () => changesOf(client).find((change) => change.sequence === sequence))
    await waitUntil(`quote ${minute}`, () => client.records('q').find((quote) => quote.sequence === sequence))
    expect(await bookOf(symbol)).toMatchObject({ sequence, bids: expect.arrayContaining([['999.75', String(minute)]]) })
  }
  client.close()
})

test('clients get the book again when a late update has changed it', async () => {
  const symbol = 'SPY-USD'
  const client = await followBook(symbol)
  await continueBook(symbol)
  await waitUntil('the last change', () => changesOf(client).some(({ sequence }) => Number(sequence) === EVENTS + 3))
  const [update] = someBook(symbol, START_NS, 1, 2).l2_events
  if (update === undefined) throw new Error('no update')
  const time = String(START_NS + MINUTE_NS / 2n)
  const late = { ...update, source_id: 'late', ts_event: time, bids: [['999.7', '7']] as [string, string][], asks: [] }
  await platform.ingestVenue({ venue: 'sim', symbol, trades: [], l2_events: [late] })
  await waitUntil('the change', () =>
    changesOf(client).some(({ bids }) => bids.some(([price, size]) => price === '999.7' && size === '7')),
  )
  expect((await bookOf(symbol)).bids).toEqual(changesOf(client).at(-1)?.bids)
  client.close()
})

test('an update of another source that belongs before the last one is not applied after it', async () => {
  const symbol = 'SPY-USD'
  const client = await openStream(process.port, actor)
  for (const [id, channel] of [
    ['a', 'book.10'],
    ['q', 'bbo'],
  ] as const) {
    client.send({ op: 'subscribe', id, channel, venues: ['sim'], symbols: [symbol] })
  }
  await waitUntil('both begin', () => client.received.filter(({ type }) => type === 'subscribed').length === 2)
  await platform.ingestVenue(someGap(symbol, START_NS - 30n * MINUTE_NS))
  await continueBook(symbol, [4])
  await waitUntil('the last change', () => changesOf(client).some(({ bids }) => bids.some(([, size]) => size === '4')))
  await platform.ingestVenue(someGap(symbol, START_NS - 20n * MINUTE_NS))
  const notices = () => client.received.flatMap((one) => (one.type === 'late' ? [one['omitted']] : []))
  await waitUntil('a notice of the events of another source', () => notices().length === 2)
  const [update] = someBook(symbol, START_NS, 1, 2).l2_events
  if (update === undefined) throw new Error('no update')
  const time = String(START_NS + 4n * MINUTE_NS - 1_000_000_000n)
  const levels: [string, string][] = [
    ['999.75', '77'],
    ['999.65', '77'],
  ]
  const before = { ...update, source_id: 'before', ts_event: time, bids: levels, asks: [] }
  await platform.ingestVenue({ venue: 'sim', symbol, trades: [], l2_events: [before] })
  const last = await waitUntil('the book again', () =>
    changesOf(client).find(({ bids }) => bids.some(([, size]) => size === '77')),
  )
  expect(last.type).toBe('snapshot')
  expect(last.bids).toEqual((await bookOf(symbol)).bids)
  expect(last.bids).toEqual(
    expect.arrayContaining([
      ['999.75', '4'],
      ['999.65', '77'],
    ]),
  )
  await waitUntil('a notice of it', () => notices().at(2) === 1)
  client.close()
})

test('events of an older time that are stored late do not change the live book', async () => {
  const symbol = 'ETH-USDT'
  const client = await followBook(symbol)
  await platform.ingestVenue(someGap(symbol, START_NS - 30n * MINUTE_NS))
  const late = await waitUntil('a notice of them', () => client.received.find(({ type }) => type === 'late'))
  expect(late).toMatchObject({ id: 'q', data: [], omitted: 3 })
  await continueBook(symbol)
  await waitUntil('the last change', () => changesOf(client).some(({ sequence }) => Number(sequence) === EVENTS + 6))
  const [snapshot, ...updates] = changesOf(client)
  expect(snapshot).toMatchObject({ type: 'snapshot', sequence: String(EVENTS) })
  expect(updates.map(({ type, sequence }) => [type, Number(sequence)])).toEqual(
    [4, 5, 6].map((number) => ['update', EVENTS + number]),
  )
  expect((await bookOf(symbol)).bids).toContainEqual(['999.75', '3'])
  const quotes = client.records('q') as unknown as QuotePage['data']
  expect(quotes.every(({ state }) => state === 'known')).toBe(true)
  client.close()
})
