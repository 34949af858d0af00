import { newEvent } from '@tapeline/contracts/event'
import { venueRecordsIngested } from '@tapeline/contracts/market-data/events'
import { deliverTwice } from '@tapeline/testing/kafka/deliver-twice'
import { sql } from 'kysely'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestLake, type TestLake } from '../../test/lake/lake.fixture.ts'
import { someL2Event } from '../../test/records.fixture.ts'
import { someBook } from '../../test/stream/books.fixture.ts'
import type { Deps } from '../deps.ts'
import { registerInstrument } from '../instruments/register-instrument.ts'
import { eventLines } from '../lake/encoding/event-lines.ts'
import { writeSealedDay } from '../lake/sealing/write-sealed-day.ts'
import { storeWithLake } from '../lake/sealing/store-late-data.ts'
import { dayStart } from '../nanoseconds.ts'
import type { L2Record } from '../store/record.ts'
import type { VenueIngested } from '../store/store-ingested.ts'
import { storeAtOnce } from '../store/store-records.ts'
import { subscriptions } from '../subscriptions.ts'
import { readBook } from './read-book.ts'
import { createCheckpointWriter } from './write-checkpoints.ts'

const DAY = 19_943
const TODAY = DAY + 20
const PORTION = 2_000
const SECOND_NS = 1_000_000_000n
/** More than a book without a checkpoint is rebuilt from. */
const LIVE_EVENTS = 10_500
const OLD_EVENTS = 4_500
const SLOW_MS = 20

let lake: TestLake
beforeAll(async () => {
  lake = await openTestLake()
})
afterAll(() => lake.close())

/** A snapshot and updates of its one bid, whose size is their number. */
function eventsOf(day: number, count: number, stepNs = 1n): L2Record[] {
  return Array.from({ length: count }, (_value, number) => {
    const fields = { bids: [['10', String(number + 1)]], asks: [] } as const
    const type = number === 0 ? 'snapshot' : 'update'
    return someL2Event(`${day}-${number}`, dayStart(day) + BigInt(number) * stepNs, { ...fields, type })
  })
}

async function bidAt(instrumentId: number, day: number, number: number): Promise<unknown> {
  const { book } = await readBook(lake.deps, { instrumentId, venue: 'sim' }, dayStart(day) + BigInt(number))
  return [book.status(), book.best().bid?.[1]]
}

async function rowsIn(sql: string): Promise<unknown[]> {
  return (await lake.database.pool.query<Record<string, unknown>>(sql)).rows
}

async function writeAllCheckpoints(): Promise<void> {
  const write = createCheckpointWriter(lake.deps)
  while ((await write()) > 0);
}

/** Straight into the lake. */
async function writeDay(instrumentId: number, day: number, records: readonly L2Record[]): Promise<number> {
  const chunks = [eventLines(records)]
  const written = await writeSealedDay(lake.deps, { instrumentId, day, records: { channel: 'l2_event', chunks } })
  return written.outcome === 'written' ? written.added : 0
}

/** Into PostgreSQL: only the first portion begins with a snapshot. */
async function storeDay(instrumentId: number, _day: number, records: readonly L2Record[]): Promise<number> {
  let added = 0
  for (let from = 0; from < records.length; from += PORTION) {
    const l2Events = records.slice(from, from + PORTION)
    added += (await storeWithLake(lake.deps, [{ instrumentId, trades: [], l2Events }])).l2Events
  }
  return added
}

/** Without looking for the next snapshot. */
async function storeOld(instrumentId: number, _day: number, l2Events: readonly L2Record[]): Promise<number> {
  return (await storeAtOnce(lake.database.pool, [{ instrumentId, trades: [], l2Events }])).l2Events
}

test.each([
  ['into the lake', 1, writeDay],
  ['into PostgreSQL', 2, storeDay],
])(
  'the book of a live instrument stays known while past days are imported %s, and theirs become known',
  async (_where, instrumentId, importDay) => {
    const { pool } = lake.database
    const live = eventsOf(TODAY, LIVE_EVENTS + 100)
    await storeAtOnce(pool, [{ instrumentId, trades: [], l2Events: live.slice(0, LIVE_EVENTS) }])
    await writeAllCheckpoints()
    const [position] = await rowsIn(`select ts_event from book_position where instrument_id = ${instrumentId}`)
    for (const day of [DAY + 1, DAY]) {
      expect(await importDay(instrumentId, day, eventsOf(day, OLD_EVENTS))).toBe(OLD_EVENTS)
      expect(await bidAt(instrumentId, TODAY, LIVE_EVENTS)).toEqual(['known', String(LIVE_EVENTS)])
    }
    await storeAtOnce(pool, [{ instrumentId, trades: [], l2Events: live.slice(LIVE_EVENTS) }])
    expect(await bidAt(instrumentId, TODAY, LIVE_EVENTS + 99)).toEqual(['known', String(LIVE_EVENTS + 100)])
    expect(await rowsIn(`select ts_event from book_position where instrument_id = ${instrumentId}`)).toEqual([position])
    await writeAllCheckpoints()
    expect(await rowsIn('select from book_reopened')).toEqual([])
    const days = await rowsIn(`select through_ts / 86400000000000 as day, count(*)::int as checkpoints
    from book_checkpoint where instrument_id = ${instrumentId} group by 1 order by 1`)
    expect(days).toEqual([
      { day: String(DAY), checkpoints: 2 },
      { day: String(DAY + 1), checkpoints: 2 },
      { day: String(TODAY), checkpoints: 5 },
    ])
    for (const [day, number] of [
      [DAY, OLD_EVENTS - 1],
      [DAY + 1, 0],
      [DAY + 1, OLD_EVENTS - 1],
      [TODAY, 0],
      [TODAY, LIVE_EVENTS + 99],
    ] as const) {
      expect([day, await bidAt(instrumentId, day, number)]).toEqual([day, ['known', String(number + 1)]])
    }
  },
  120_000,
)

test.each([
  ['up to the next snapshot', 3, storeDay],
  ['of all later times', 4, storeOld],
])(
  'checkpoints %s have late events that were stored while they were written',
  async (_which, instrumentId, storeLate) => {
    const { pool } = lake.database
    const old = eventsOf(DAY, 9_000, SECOND_NS)
    await storeAtOnce(pool, [{ instrumentId, trades: [], l2Events: eventsOf(TODAY, LIVE_EVENTS) }])
    await storeDay(instrumentId, DAY, old.slice(0, 100))
    await writeAllCheckpoints()
    await storeDay(instrumentId, DAY, old.slice(200))
    const asks = [['11', '7']] as const
    const late = someL2Event('late', dayStart(DAY) + 150n * SECOND_NS, { bids: [], asks })
    let isStored = false
    const days: Deps['lake']['manifest']['days'] = async (query) => {
      const found = await lake.deps.lake.manifest.days(query)
      // The book before the part has been read: its events follow.
      if (query.fromDay === DAY && query.order === 'asc' && !isStored) {
        isStored = true
        await storeLate(instrumentId, DAY, [late])
      }
      return found
    }
    await createCheckpointWriter({ ...lake.deps, lake: { ...lake.deps.lake, manifest: { days } } })()
    expect(isStored).toBe(true)
    await writeAllCheckpoints()
    const checkpoints = await rowsIn(`select asks, count(*)::int > 2 as "areSeveral" from book_checkpoint
      where instrument_id = ${instrumentId} and through_ts > ${late.tsEvent} and through_ts < ${dayStart(DAY + 1)} group by asks`)
    expect(checkpoints).toEqual([{ asks: '[["11","7"]]', areSeveral: true }])
  },
  120_000,
)

test('a late event in a part whose checkpoints are not written yet delays only that part', async () => {
  const instrumentId = 2
  const day = DAY - 10
  const count = 11_000
  await storeDay(instrumentId, day, eventsOf(day, count, SECOND_NS / 1_000n))
  const late = someL2Event('late', dayStart(day) + BigInt(count - 1) * (SECOND_NS / 1_000n) + 1n, {
    bids: [['9', '7']],
    asks: [],
  })
  await storeOld(instrumentId, day, [late])
  await writeAllCheckpoints()
  expect(await rowsIn('select from book_reopened')).toEqual([])
  expect(await bidAt(instrumentId, day, (count - 1) * 1_000_000)).toEqual(['known', String(count)])
}, 120_000)

async function registerBook(symbol: string): Promise<number> {
  const spec = { venue: 'sim', venueSymbol: symbol, base: 'X', quote: 'Y', symbol } as const
  return registerInstrument(lake.deps.db, { ...spec, sizeUnit: 'base', tsEventPrecision: 'ns', kind: 'spot' })
}

function replayed(data: VenueIngested) {
  return newEvent(venueRecordsIngested, {
    id: crypto.randomUUID(),
    time: new Date(),
    subject: `sim:${data.symbol}`,
    account: null,
    actor: { kind: 'service', service: 'market-data' },
    data,
  })
}

test('the current book stays known while older events arrive through Kafka, as a replay sends them', async () => {
  const instrumentId = await registerBook('X-Y')
  await storeAtOnce(lake.database.pool, [{ instrumentId, trades: [], l2Events: eventsOf(TODAY, LIVE_EVENTS) }])
  await writeAllCheckpoints()
  const event = replayed(someBook('X-Y', dayStart(DAY), 0, 20))
  await deliverTwice(lake.deps.db, subscriptions(lake.deps), event)
  expect(await bidAt(instrumentId, TODAY, LIVE_EVENTS)).toEqual(['known', String(LIVE_EVENTS)])
  await writeAllCheckpoints()
  expect(await bidAt(instrumentId, DAY, 100_000_000)).toEqual(['known', '18'])
})

test('the transaction that stores late events is not idle while a slow lake is searched for a snapshot', async () => {
  const { db, lake: stored } = lake.deps
  const instrumentId = await registerBook('Z-Y')
  await storeAtOnce(lake.database.pool, [{ instrumentId, trades: [], l2Events: eventsOf(TODAY, LIVE_EVENTS) }])
  await writeAllCheckpoints()
  const days: Deps['lake']['manifest']['days'] = async (query) => {
    await delay(SLOW_MS)
    return stored.manifest.days(query)
  }
  const event = replayed(someBook('Z-Y', dayStart(TODAY) + 1n, 1, 2))
  const [, subscription] = subscriptions({ ...lake.deps, lake: { ...stored, manifest: { days } } })
  await subscription?.prepare?.([event])
  await db.transaction().execute(async (trx) => {
    await sql`set local idle_in_transaction_session_timeout = ${sql.lit(20 * SLOW_MS)}`.execute(trx)
    await subscription?.apply(trx, [event])
  })
  expect(await rowsIn(`select from l2_event where instrument_id = ${instrumentId}`)).toHaveLength(LIVE_EVENTS + 1)
})
