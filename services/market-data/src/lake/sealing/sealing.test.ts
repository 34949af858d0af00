import { readdir } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestLake, type TestLake } from '../../../test/lake/lake.fixture.ts'
import { BTC, DAY, NOW, openSettledLake } from '../../../test/lake/settled-lake.fixture.ts'
import { someL2Event, someTrade } from '../../../test/records.fixture.ts'
import { readBook } from '../../book/read-book.ts'
import { createCheckpointWriter } from '../../book/write-checkpoints.ts'
import { INSTRUMENTS_AGE_MAX_MS } from '../../instruments/instrument-cache.ts'
import { dayStart } from '../../nanoseconds.ts'
import type { RecordBatch } from '../../store/record.ts'
import { dropOldPartitions } from '../../store/drop-old-partitions.ts'
import { storeAtOnce } from '../../store/store-records.ts'
import { dropSealedDays } from './drop-sealed-days.ts'
import { sealDay } from './seal-day.ts'
import { sealSettledDays } from './seal-settled-days.ts'
import { storeWithLake } from './store-late-data.ts'
import { sweepLake } from './sweep-lake.ts'
import { tradeChunk } from '../encoding/trade-chunk.ts'
import { writeSealedDay } from './write-sealed-day.ts'

let lake: TestLake
beforeEach(async () => {
  lake = await openSettledLake()
})
afterEach(() => lake.close())

function batch(instrumentId: number, count: number, { day = DAY, first = 0 } = {}): RecordBatch {
  const trades = Array.from({ length: count }, (_value, index) =>
    someTrade(`${day}-${first + index}`, dayStart(day) + BigInt((first + index) % 50)),
  )
  return { instrumentId, trades, l2Events: [] }
}

async function rowsIn(sql: string): Promise<unknown[]> {
  return (await lake.database.pool.query<Record<string, unknown>>(sql)).rows
}

const channelOf = async (instrumentId: number) =>
  rowsIn(`select last_sequence, stored_rows, first_ts_event, retained_from from channel
          where instrument_id = ${instrumentId} and name = 'trade'`)
const manifest = () =>
  rowsIn(`select day, revision, row_count, superseded_at is null as current, hot_dropped_at is not null as dropped
          from sealed_file order by channel, instrument_id, day, revision`)

async function objects(): Promise<string[]> {
  const names = await readdir(lake.folder, { recursive: true })
  return names.filter((name) => name.endsWith('.parquet')).toSorted()
}

test('days are sealed 24 hours after their channel is complete, or at that age if completeness is unknown', async () => {
  await storeAtOnce(lake.database.pool, [batch(BTC, 10), batch(2, 10)])
  await storeAtOnce(lake.database.pool, [batch(BTC, 10, { day: DAY + 1 })])
  await lake.database.pool.query(
    `update channel set complete_through = ${dayStart(DAY + 2) - 1n} where instrument_id = ${BTC}`,
  )
  expect(await sealSettledDays(lake.deps)).toMatchObject({ sealed: 1 })
  expect(await rowsIn('select instrument_id, day from sealed_file')).toEqual([{ instrument_id: 2, day: DAY }])
  await lake.database.pool.query(
    `update channel set complete_through = ${dayStart(DAY + 2)} where instrument_id = ${BTC}`,
  )
  expect(await sealSettledDays(lake.deps)).toMatchObject({ sealed: 1 })
  expect(await sealSettledDays(lake.deps)).toMatchObject({ sealed: 0, 'sealed already': 0 })
  const [name] = await objects()
  expect(name).toMatch(/^v1\/channel=trade\/venue=sim\/symbol=BTC-USDT\/date=2026-03-20\/[0-9a-f]{16}\.parquet$/)
})

test('rows that arrive while a day is being sealed are not lost: that attempt seals nothing', async () => {
  await lake.close()
  let isLate = false
  lake = await openTestLake(
    () => NOW,
    (store) => ({
      ...store,
      async putIfAbsent(key, bytes) {
        if (!isLate) await storeAtOnce(lake.database.pool, [batch(BTC, 1, { first: 10 })])
        isLate = true
        return store.putIfAbsent(key, bytes)
      },
    }),
  )
  await storeAtOnce(lake.database.pool, [batch(BTC, 10)])
  const day = { instrumentId: BTC, channel: 'trade', day: DAY } as const
  expect(await sealDay(lake.deps, day)).toBe('changed')
  expect(await manifest()).toEqual([])
  expect(await sealDay(lake.deps, day)).toBe('sealed')
  expect(await sealDay(lake.deps, day)).toBe('sealed already')
  expect(await manifest()).toMatchObject([{ revision: 1, row_count: '11' }])
  expect(await objects()).toHaveLength(2)
  expect(await sweepLake(lake.deps, 30, 0)).toEqual({ dropped: 0, deleted: 1 })
  expect(await objects()).toHaveLength(1)
})

test('records that are in a sealed day add nothing, although PostgreSQL no longer has them', async () => {
  await storeWithLake(lake.deps, [batch(BTC, 100), batch(2, 5)])
  await lake.seal({ instrumentId: BTC, day: DAY, isDropped: true })
  const before = await channelOf(BTC)
  expect(await rowsIn('select distinct instrument_id from trade')).toEqual([{ instrument_id: 2 }])
  expect(await storeWithLake(lake.deps, [batch(BTC, 100)])).toEqual({ trades: 0, l2Events: 0 })
  expect(await channelOf(BTC)).toEqual(before)
  expect(await manifest()).toMatchObject([{ current: true, dropped: true }])
})

test('late data moves a day back into PostgreSQL with its sequences, and becomes its next revision', async () => {
  await storeWithLake(lake.deps, [batch(BTC, 100)])
  await lake.seal({ instrumentId: BTC, day: DAY, isDropped: true })
  expect(await storeWithLake(lake.deps, [batch(BTC, 103)])).toEqual({ trades: 3, l2Events: 0 })
  expect(await channelOf(BTC)).toMatchObject([{ last_sequence: '103', stored_rows: '103' }])
  expect(await rowsIn('select count(*)::int as rows, count(distinct sequence)::int as sequences from trade')).toEqual([
    { rows: 103, sequences: 103 },
  ])
  await lake.seal({ instrumentId: BTC, day: DAY, isDropped: true })
  expect(await manifest()).toEqual([
    { day: DAY, revision: 1, row_count: '100', current: false, dropped: true },
    { day: DAY, revision: 2, row_count: '103', current: true, dropped: true },
  ])
  expect(await sweepLake(lake.deps, 30, 0)).toEqual({ dropped: 0, deleted: 0 })
  expect(await sweepLake(lake.deps, 0, 0)).toEqual({ dropped: 1, deleted: 1 })
})

test('late data on a sealed day that is still in PostgreSQL ends the validity of its file', async () => {
  await storeWithLake(lake.deps, [batch(BTC, 10)])
  await lake.seal({ instrumentId: BTC, day: DAY })
  await storeWithLake(lake.deps, [batch(BTC, 10)])
  expect(await manifest()).toMatchObject([{ current: true }])
  await storeWithLake(lake.deps, [batch(BTC, 11)])
  expect(await manifest()).toMatchObject([{ current: false }])
  expect(await dropSealedDays(lake.deps, 0)).toBe(0)
})

test('rows stay in PostgreSQL while their file is new or differs from what was written', async () => {
  await storeAtOnce(lake.database.pool, [batch(BTC, 10)])
  await lake.seal({ instrumentId: BTC, day: DAY })
  expect(await dropSealedDays(lake.deps)).toBe(0)
  const [key = ''] = await objects()
  const bytes = new Uint8Array(await lake.deps.lake.store.getRange(key, 0, 100))
  await lake.deps.lake.store.delete(key)
  await lake.deps.lake.store.putIfAbsent(key, bytes)
  await expect(dropSealedDays(lake.deps, 0)).rejects.toThrow('is not dropped from PostgreSQL')
  expect(await rowsIn('select count(*)::int as rows from trade')).toEqual([{ rows: 10 }])
  await storeAtOnce(lake.database.pool, [batch(2, 5)])
  await lake.seal({ instrumentId: 2, day: DAY })
  await expect(dropSealedDays(lake.deps, 0)).rejects.toThrow('is not dropped from PostgreSQL')
  expect(await rowsIn('select distinct instrument_id from trade')).toEqual([{ instrument_id: BTC }])
})

test('retention ends sealed days of the simulated venue, and its counts follow', async () => {
  for (const [count, day] of [
    [7, DAY - 20],
    [5, DAY - 19],
    [10, DAY],
  ] as const) {
    await storeAtOnce(lake.database.pool, [batch(BTC, count, { day })])
  }
  await lake.seal({ instrumentId: BTC, day: DAY - 20, isDropped: true })
  await lake.seal({ instrumentId: BTC, day: DAY - 19 })
  expect(await channelOf(BTC)).toMatchObject([{ stored_rows: '22' }])
  await dropOldPartitions(lake.deps, 7)
  const retainedFrom = String(dayStart(DAY + 2 - 7))
  expect(await channelOf(BTC)).toMatchObject([
    { stored_rows: '10', retained_from: retainedFrom, first_ts_event: retainedFrom },
  ])
  expect(await manifest()).toMatchObject([{ current: false }, { current: false }])
  expect(await rowsIn('select count(*)::int as rows from trade')).toEqual([{ rows: 10 }])
})

test('retention deletes the bars and checkpoints of sealed days, so that an expired book is unknown', async () => {
  const old = dayStart(DAY - 20)
  const trades = [someTrade('old', old + 5n), someTrade('new', dayStart(DAY) + 5n)]
  const levels = Array.from({ length: 2_500 }, (_value, index): [string, string] => [String(9_000 - index), '1'])
  const snapshots = [old, old + 10n, old + 20n].map((time, index) =>
    someL2Event(`s${index}`, time, {
      type: 'snapshot',
      bids: levels,
      asks: levels.map(([price]) => [`1${price}`, '1']),
    }),
  )
  const l2Events = [...snapshots, someL2Event('new', dayStart(DAY), { type: 'snapshot' })]
  await storeAtOnce(lake.database.pool, [{ instrumentId: BTC, trades, l2Events }])
  await createCheckpointWriter(lake.deps)()
  for (const channel of ['trade', 'l2_event'] as const) {
    await lake.seal({ instrumentId: BTC, day: DAY - 20, channel, isDropped: true })
  }
  const book = { instrumentId: BTC, venue: 'sim' }
  expect((await readBook(lake.deps, book, old + 30n)).book.status()).toBe('known')
  expect(await rowsIn('select count(*)::int as bars from bar_1m')).toEqual([{ bars: 2 }])
  await dropOldPartitions(lake.deps, 7)
  // Until then, readers have the list of files that was read before.
  await delay(INSTRUMENTS_AGE_MAX_MS + 50)
  expect((await readBook(lake.deps, book, old + 30n)).book.status()).not.toBe('known')
  expect(await rowsIn('select count(*)::int as checkpoints from book_checkpoint')).toEqual([{ checkpoints: 0 }])
  expect(await rowsIn('select minute from bar_1m')).toEqual([{ minute: String(dayStart(DAY)) }])
})

test('a day that is written straight into the lake is numbered, counted and read like any other', async () => {
  await storeAtOnce(lake.database.pool, [batch(BTC, 3, { day: DAY + 1 })])
  const { trades } = batch(BTC, 40)
  const dayOf = (...batches: (typeof trades)[]) => {
    const chunks = batches.map((one) => tradeChunk(one, DAY))
    return { instrumentId: BTC, day: DAY, records: { channel: 'trade', chunks } } as const
  }
  expect(await writeSealedDay(lake.deps, dayOf(trades, trades.slice(-1)))).toEqual({ outcome: 'written', added: 40 })
  const counted = { last_sequence: '43', stored_rows: '43', first_ts_event: String(dayStart(DAY)) }
  expect(await channelOf(BTC)).toMatchObject([counted])
  expect(await writeSealedDay(lake.deps, dayOf(trades))).toEqual({ outcome: 'written', added: 0 })
  expect(await channelOf(BTC)).toMatchObject([counted])
  expect(await storeWithLake(lake.deps, [batch(BTC, 41)])).toEqual({ trades: 1, l2Events: 0 })
  expect(await channelOf(BTC)).toMatchObject([{ last_sequence: '44', stored_rows: '44' }])
  expect(await writeSealedDay(lake.deps, dayOf(trades))).toEqual({ outcome: 'hot' })
  expect(() => tradeChunk(trades, DAY - 1)).toThrow('is not of the day')
})
