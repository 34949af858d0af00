import type { Event } from '@tapeline/contracts/event'
import { openTestDatabase, type TestDatabase } from '@tapeline/testing/test-database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDeps, type Deps } from '../deps.ts'
import { migrations } from '../migrations/all.ts'
import type { L2Record } from '../store/record.ts'
import { type Ingested, storeIngested } from '../store/store-ingested.ts'
import type { Tables } from '../tables.ts'
import { bookAt } from './book-at.ts'
import { MARKETS } from './markets.ts'
import { createRandom } from './random.ts'
import { recordsBetween } from './records-between.ts'
import { type Message, resendLast, sendLive } from './send-live.ts'
import { writeHistory } from './write-history.ts'

const START = 1_795_255_200
const HISTORY_SECONDS = 3_600
const random = createRandom('a seed')
const markets = MARKETS.slice(0, 2)
let database: TestDatabase<Tables>
let nowSecond = START
let deps: Deps

beforeAll(async () => {
  database = await openTestDatabase<Tables>(migrations)
  deps = createDeps(database.pool, () => new Date(nowSecond * 1000), 'a secret of at least 32 characters')
})
afterAll(() => database.drop())

test('the same seed gives the same records, another seed others', () => {
  const [market = markets[0]] = markets
  if (market === undefined) throw new Error('no market')
  const range = { previous: START, latest: START + 600, step: 20 }
  expect(recordsBetween(createRandom('a seed'), market, range)).toEqual(recordsBetween(random, market, range))
  expect(recordsBetween(createRandom('b seed'), market, range)).not.toEqual(recordsBetween(random, market, range))
})

test('one long range has the records of its parts', () => {
  const [market] = markets
  if (market === undefined) throw new Error('no market')
  const whole = recordsBetween(random, market, { previous: START, latest: START + 100, step: 1 })
  const parts = [0, 37, 38].map((from, index) =>
    recordsBetween(random, market, { previous: START + from, latest: START + ([37, 38, 100][index] ?? 0), step: 1 }),
  )
  expect(parts.flatMap(({ trades }) => trades)).toEqual(whole.trades)
  expect(parts.flatMap(({ l2Events }) => l2Events)).toEqual(whole.l2Events)
})

test.each(MARKETS)('the replayed book of $symbol is never crossed and trades happen at its best prices', (market) => {
  const range = { previous: START - 1, latest: START + 600, step: 1 }
  const { trades, l2Events } = recordsBetween(random, market, range)
  const prices = new Map(trades.map((trade) => [trade.tsEvent.slice(0, -9), [] as string[]]))
  for (const trade of trades) prices.get(trade.tsEvent.slice(0, -9))?.push(`${trade.side} ${trade.price}`)
  const bids = new Map<string, string>()
  const asks = new Map<string, string>()
  expect(l2Events[0]?.type).toBe('snapshot')
  for (const event of l2Events) {
    apply(bids, event, event.bids)
    apply(asks, event, event.asks)
    const bestBid = Math.max(...[...bids.keys()].map(Number))
    const bestAsk = Math.min(...[...asks.keys()].map(Number))
    expect(bestBid).toBeLessThan(bestAsk)
    const second = event.tsEvent.slice(0, -9)
    for (const trade of prices.get(second) ?? []) expect([`buy ${bestAsk}`, `sell ${bestBid}`]).toContain(trade)
  }
  const last = bookAt(random, market, range.latest)
  expect(Object.fromEntries(bids)).toEqual(Object.fromEntries(last.bids))
  expect(Object.fromEntries(asks)).toEqual(Object.fromEntries(last.asks))
  expect(trades.length).toBeGreaterThan(50)
})

function apply(side: Map<string, string>, { type }: L2Record, levels: L2Record['bids']): void {
  if (type === 'snapshot') side.clear()
  for (const [price, size] of levels) {
    if (size === '0') expect(side.delete(price)).toBe(true)
    else side.set(price, size)
  }
}

async function storeMessages(messages: Message[]): Promise<void> {
  const events = messages.map(({ value }) => JSON.parse(value) as Event<Ingested>)
  await deps.db.transaction().execute((trx) => storeIngested(deps, trx, events))
}

async function storedRows(channel: 'trade' | 'l2_event') {
  const { rows } = await database.pool.query<{
    instrument_id: number
    sequence: string
    ts_event: string
    source_id: string
  }>(`select instrument_id, sequence, ts_event, source_id from ${channel} order by instrument_id, sequence`)
  return rows
}

test('history, a killed process and a restart cause no gaps, no repetition and no disorder', async () => {
  const signal = new AbortController().signal
  const written = await writeHistory(deps, { random, markets, historySeconds: HISTORY_SECONDS, signal })
  expect(written).toBeGreaterThan(1_000)
  expect(await writeHistory(deps, { random, markets, historySeconds: HISTORY_SECONDS, signal })).toBe(0)

  let isBrokerUnavailable = false
  const options = {
    random,
    markets,
    historySeconds: HISTORY_SECONDS,
    newId: () => crypto.randomUUID(),
    send: async (messages: Message[]) => {
      if (isBrokerUnavailable) throw new Error('killed before the broker had it')
      await storeMessages(messages)
    },
  }
  nowSecond += 3
  await sendLive(deps, options)
  nowSecond += 2
  isBrokerUnavailable = true
  await expect(sendLive(deps, options)).rejects.toThrow('killed')
  isBrokerUnavailable = false
  // Later another process starts: it repeats records that may not have arrived, then catches up.
  nowSecond += 1_500
  await resendLast(deps, options)
  await resendLast(deps, options)
  while ((await sendLive(deps, options)) > 0);

  const trades = await storedRows('trade')
  for (const market of markets) {
    const own = trades.filter(({ instrument_id }) => instrument_id === market.instrumentId)
    const first = START - HISTORY_SECONDS - 1
    const expected = recordsBetween(random, market, { previous: first, latest: nowSecond - 1, step: 1 }).trades
    expect(own.map(({ source_id }) => source_id)).toEqual(expected.map(({ sourceId }) => sourceId))
    expect(own.map(({ sequence }) => Number(sequence))).toEqual(own.map((_row, index) => index + 1))
    expect(own.map(({ ts_event }) => ts_event)).toEqual(own.map(({ ts_event }) => ts_event).toSorted())
  }
  const books = await storedRows('l2_event')
  expect(books.map(({ instrument_id, ts_event }) => `${instrument_id} ${ts_event}`)).toEqual(
    books.map(({ instrument_id, ts_event }) => `${instrument_id} ${ts_event}`).toSorted(),
  )
})
