import type { QuotePage } from '@tapeline/contracts/market-data/quotes'
import { someUser } from '@tapeline/testing/actors'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestLake, type TestLake } from '../../test/lake/lake.fixture.ts'
import { someL2Event } from '../../test/records.fixture.ts'
import { registerInstrument } from '../instruments/register-instrument.ts'
import { eventLines } from '../lake/encoding/event-lines.ts'
import { writeSealedDay } from '../lake/sealing/write-sealed-day.ts'
import { dayStart } from '../nanoseconds.ts'
import { listQuotes } from '../quotes/list-quotes.ts'
import { readQuotes } from '../quotes/read-quotes.ts'
import type { L2Record } from '../store/record.ts'
import { storeAtOnce } from '../store/store-records.ts'
import { readBook } from './read-book.ts'
import { createCheckpointWriter } from './write-checkpoints.ts'

const DAY = 19_943
const TODAY = DAY + 20
const SECOND_NS = 1_000_000_000n
const ALL = Number.MAX_SAFE_INTEGER

let lake: TestLake
let instrumentId = 0
beforeAll(async () => {
  lake = await openTestLake()
})
afterAll(() => lake.close())

/** A separate instrument for each test. */
beforeEach(async () => {
  const { db } = lake.deps
  const spec = {
    venue: 'sim',
    venueSymbol: 'X',
    base: 'X',
    quote: 'Y',
    sizeUnit: 'base',
    tsEventPrecision: 'ns',
    kind: 'spot',
  } as const
  instrumentId = await registerInstrument(db, { ...spec, symbol: `X${instrumentId}-Y` })
})

/** Events of a day from one number to another, one per second: a snapshot, then updates of its bid, sized by number. */
function eventsOf(day: number, from: number, until: number): L2Record[] {
  return Array.from({ length: until - from }, (_value, index) => eventAt(day, from + index))
}

function eventAt(day: number, number: number, fields: Partial<L2Record> = {}): L2Record {
  const levels = { bids: [['10', String(number + 1)]], asks: [['11', '1']] } as const
  const type = number === 0 ? 'snapshot' : 'update'
  return someL2Event(`${day}-${number}`, timeOf(day, number), { ...levels, type, ...fields })
}

function timeOf(day: number, number: number): bigint {
  return dayStart(day) + BigInt(Math.round(number * 1000)) * (SECOND_NS / 1000n)
}

const store = (l2Events: L2Record[]) => storeAtOnce(lake.database.pool, [{ instrumentId, trades: [], l2Events }])

const importDay = (day: number, records: readonly L2Record[]) =>
  writeSealedDay(lake.deps, { instrumentId, day, records: { channel: 'l2_event', chunks: [eventLines(records)] } })

async function bidAt(day: number, number: number): Promise<unknown> {
  const { book } = await readBook(lake.deps, { instrumentId, venue: 'sim' }, timeOf(day, number))
  return [book.status(), book.best().bid?.[1]]
}

/** Each moment has the bid of its number. */
async function expectBids(day: number, numbers: readonly number[]): Promise<void> {
  for (const number of numbers) {
    expect([day, number, await bidAt(day, number)]).toEqual([day, number, ['known', String(number + 1)]])
  }
}

async function quotesOf(day: number): Promise<unknown[]> {
  const range = { from: dayStart(day), until: dayStart(day + 1) }
  const { quotes } = await readQuotes(lake.deps, { instrumentId, venue: 'sim' }, range, 10_000)
  return quotes.map(({ tsEvent, bid }) => [tsEvent, bid?.[1]])
}

const expectedQuotes = (day: number, count: number) =>
  Array.from({ length: count }, (_value, number) => [String(timeOf(day, number)), String(number + 1)])

test('the live book and an imported one continue when their updates are stored in turns', async () => {
  await store(eventsOf(TODAY, 0, 10))
  await store(eventsOf(DAY, 0, 10))
  await store(eventsOf(TODAY, 10, 12))
  await store(eventsOf(DAY, 10, 20))
  await store(eventsOf(TODAY, 12, 14))
  await store(eventsOf(DAY, 20, 30))
  await store(eventsOf(TODAY, 14, 15))
  await expectBids(TODAY, [0, 9, 10, 11, 12, 13, 14])
  await expectBids(DAY, [0, 9, 10, 11, 19, 20, 25, 29])
  expect(await quotesOf(TODAY)).toEqual(expectedQuotes(TODAY, 15))
  expect(await quotesOf(DAY)).toEqual(expectedQuotes(DAY, 30))
})

test('the live book and that of days imported into the lake continue when they are stored in turns', async () => {
  await store(eventsOf(TODAY, 0, 10))
  await importDay(DAY, eventsOf(DAY, 0, 10))
  await store(eventsOf(TODAY, 10, 12))
  // The second day continues the book of the first one.
  await importDay(
    DAY + 1,
    [86_400, 86_401].map((number) => eventAt(DAY, number)),
  )
  await store(eventsOf(TODAY, 12, 14))
  // And the file of a day that is imported in two parts.
  await importDay(DAY, eventsOf(DAY, 10, 20))
  await store(eventsOf(TODAY, 14, 15))
  await expectBids(TODAY, [9, 10, 11, 12, 13, 14])
  await expectBids(DAY, [9, 10, 11, 19, 86_400, 86_401])
  expect(await quotesOf(DAY)).toEqual(expectedQuotes(DAY, 20))
})

test('the last portion of a day belongs to its book, also directly before a snapshot of the next day', async () => {
  const late = (number: number) => eventAt(TODAY - 1, number, number === 86_390 ? { type: 'snapshot' } : {})
  await store(eventsOf(TODAY, 0, 5))
  await store([86_390, 86_394].map(late))
  await store(eventsOf(TODAY, 5, 6))
  await store([86_398, 86_399].map(late))
  await expectBids(TODAY - 1, [86_390, 86_394, 86_398, 86_399])
  await expectBids(TODAY, [0, 4, 5])
  expect(await quotesOf(TODAY - 1)).toHaveLength(4)
  expect(await quotesOf(TODAY)).toEqual(expectedQuotes(TODAY, 6))
})

test('an update that is stamped before a snapshot of its source does not change the book before it', async () => {
  await store(eventsOf(TODAY, 0, 3))
  const resumed = eventAt(TODAY, 5, { type: 'snapshot' })
  await store([resumed, eventAt(TODAY, 4.5, { bids: [['10', '99']] }), eventAt(TODAY, 6)])
  expect(await bidAt(TODAY, 4.7)).toEqual(['known', '3'])
  expect(await bidAt(TODAY, 5)).toEqual(['known', '99'])
  await expectBids(TODAY, [6])
})

test('an update continues to wait for a predecessor of a later time while older events are imported', async () => {
  await store(eventsOf(TODAY, 0, 3))
  await store(eventsOf(DAY, 0, 5))
  await store([eventAt(TODAY, 4), eventAt(TODAY, 3, { bids: [['10', '99']] })])
  expect(await bidAt(TODAY, 3.5)).toEqual(['known', '3'])
  expect(await bidAt(TODAY, 4)).toEqual(['known', '99'])
})

test('late updates of a book do not end it, nor its quotes and checkpoints', async () => {
  const levels = Array.from({ length: 300 }, (_value, index) => [String(1_000 - index), '1'] as const)
  const wide = (number: number) =>
    eventAt(TODAY, number, { bids: [...levels, ['1', String(number + 1)]], asks: number === 0 ? [['11', '1']] : [] })
  const worst = async (number: number) => {
    const { book } = await readBook(lake.deps, { instrumentId, venue: 'sim' }, timeOf(TODAY, number))
    return [book.status(), book.top(ALL).bids.at(-1)?.[1], book.best().ask?.[1]]
  }
  await store([wide(0), ...Array.from({ length: 199 }, (_value, index) => wide(index + 1))])
  await store([eventAt(TODAY, 50.5, { bids: [], asks: [['11', '7']] })])
  await store([200, 201].map((number) => eventAt(TODAY, number, { bids: [['1', String(number + 1)]], asks: [] })))
  const write = createCheckpointWriter(lake.deps)
  while ((await write()) > 0);
  const { rows } = await lake.database.pool.query({
    text: 'select from book_checkpoint where instrument_id = $1 and through_ts > $2',
    values: [instrumentId, timeOf(TODAY, 60)],
  })
  expect(rows.length).toBeGreaterThan(5)
  for (const [number, ask] of [
    [40, '1'],
    [60, '7'],
    [70, '7'],
    [120, '7'],
    [199, '7'],
    [201, '7'],
  ] as const) {
    expect([number, await worst(number)]).toEqual([number, ['known', String(number + 1), ask]])
  }
  expect((await quotesOf(TODAY)).length).toBe(2)
})

test('the live book continues after an import of the same time', async () => {
  await store(eventsOf(TODAY, 0, 100))
  const imported = [50, 51, 52, 53, 54].map((number) =>
    eventAt(TODAY, number + 0.5, {
      type: number === 50 ? 'snapshot' : 'update',
      bids: [['10', `0.${number}`]],
    }),
  )
  await store(imported)
  await store(eventsOf(TODAY, 100, 103))
  await expectBids(TODAY, [0, 50])
  for (const number of [50, 51, 52]) expect(await bidAt(TODAY, number + 0.7)).toEqual(['known', `0.${number}`])
  await expectBids(TODAY, [51, 52, 54])
  await expectBids(TODAY, [56, 57, 70, 99, 100, 102])
  expect((await quotesOf(TODAY)).slice(-43)).toEqual(expectedQuotes(TODAY, 103).slice(-43))
})

test('updates before which another book was stored are in the book at their own times, on pages of any size', async () => {
  await store(eventsOf(TODAY, 0, 1))
  await store(eventsOf(DAY, 0, 1))
  await store([eventAt(TODAY, 12)])
  await store(eventsOf(DAY, 1, 2))
  await store([10, 16, 18].map((number) => eventAt(TODAY, number)))
  const expected = ['1', '11', '13', '17', '19']
  expect((await quotesOf(TODAY)).map((quote) => (quote as string[])[1])).toEqual(expected)
  const { next, pages } = { next: { cursor: undefined as string | null | undefined }, pages: [] as string[] }
  const { symbol } = (await lake.deps.instruments.list()).find((one) => one.instrumentId === instrumentId) ?? {}
  const range = { start: String(dayStart(TODAY)), end: String(dayStart(TODAY + 1)) }
  do {
    const body = next.cursor
      ? { cursor: next.cursor }
      : { venues: ['sim'], symbols: [symbol ?? ''], ...range, limit: 1 }
    const page = JSON.parse((await listQuotes(lake.deps, someUser({ tier: 'pro' }), body, 'r')).json) as QuotePage
    pages.push(...page.data.map(({ bid_size }) => bid_size ?? ''))
    next.cursor = page.next_cursor
  } while (next.cursor && pages.length <= expected.length)
  expect(pages).toEqual(expected)
  await expectBids(TODAY, [0, 10, 12, 16, 18])
})

test.each([4.5, 3.5])(
  'an update that is stamped at 4 s belongs to its snapshot of 5 s, also if another source has one at %s s',
  async (number) => {
    await store(eventsOf(TODAY, 0, 2))
    await store([eventAt(TODAY, 5, { type: 'snapshot' }), eventAt(TODAY, 4, { bids: [['10', '99']] })])
    await store([eventAt(DAY, 0, { bids: [] })])
    await store([eventAt(TODAY, number, { type: 'snapshot', bids: [['10', '0.5']] })])
    expect(await bidAt(TODAY, 4.7)).toEqual(['known', '0.5'])
    expect(await bidAt(TODAY, 5)).toEqual(['known', '99'])
    expect((await quotesOf(TODAY)).map((quote) => (quote as string[])[1])).toEqual(['1', '2', '0.5', '6', '99'])
  },
)

test('checkpoints of the live book do not continue with imported updates of the same epoch', async () => {
  const levels = Array.from({ length: 400 }, (_value, index) => [String(1_000 - index), '1'] as const)
  await store(eventsOf(DAY, 0, 10))
  await store([eventAt(TODAY, 0, { bids: levels }), ...eventsOf(TODAY, 1, 40).map((one) => ({ ...one, asks: levels }))])
  const write = createCheckpointWriter(lake.deps)
  while ((await write()) > 0);
  await store([eventAt(DAY, 10, { bids: [['9999', '1']] }), ...eventsOf(DAY, 11, 20)])
  const best = async (day: number, number: number) =>
    (await readBook(lake.deps, { instrumentId, venue: 'sim' }, timeOf(day, number))).book.best().bid
  expect(await best(DAY, 19)).toEqual(['9999', '1'])
  expect(await best(TODAY, 39)).toEqual(['1000', '1'])
  while ((await write()) > 0);
  expect(await best(TODAY, 39)).toEqual(['1000', '1'])
})
