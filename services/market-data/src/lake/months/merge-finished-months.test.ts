import { readdir } from 'node:fs/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestLake, type TestLake } from '../../../test/lake/lake.fixture.ts'
import { someTrade } from '../../../test/records.fixture.ts'
import { dayStart } from '../../nanoseconds.ts'
import { storeAtOnce } from '../../store/store-records.ts'
import { createLake } from '../lake.ts'
import { listNamedFiles } from '../list-files-queries.ts'
import { listStoredRows } from '../reading/list-stored-rows.ts'
import { resealDay } from '../reseal-day.ts'
import { tradeChunk } from '../encoding/trade-chunk.ts'
import { storeWithLake } from '../sealing/store-late-data.ts'
import { sweepLake } from '../sealing/sweep-lake.ts'
import { writeSealedDay } from '../sealing/write-sealed-day.ts'
import { verifyFile } from '../verify-file.ts'
import { mergeFinishedMonths } from './merge-finished-months.ts'

/** 2024-08-29. */
const FIRST = 19_964
const AUGUST = [FIRST, FIRST + 1, FIRST + 2]
const SEPTEMBER = [FIRST + 3, FIRST + 4]
const ROWS = 300
const BYTES_MAX = 1_000_000
let lake: TestLake
let now = new Date('2024-09-03T00:00:00Z')

beforeEach(async () => {
  now = new Date('2024-09-03T00:00:00Z')
  lake = await openTestLake(() => now)
  for (const day of [...AUGUST, ...SEPTEMBER]) {
    await storeAtOnce(lake.database.pool, [{ instrumentId: 1, trades: trades(day, ROWS), l2Events: [] }])
    await lake.seal({ instrumentId: 1, day, isDropped: true })
  }
})
afterEach(() => lake.close())

function trades(day: number, count: number) {
  return Array.from({ length: count }, (_value, at) =>
    someTrade(`${day}${at}`, dayStart(day) + BigInt(at % 70), { price: `${day}.${at % 9}5`, size: `${at + 1}` }),
  )
}

async function readAll(): Promise<string> {
  const { pool } = lake.database
  const stores = { pool, lake: createLake(pool, lake.deps.lake.store, 1_000_000) }
  const scan = { channel: 'trade', filter: { order: 'asc', time_format: 'rfc3339' }, after: undefined } as const
  const { rows } = await listStoredRows(stores, { ...scan, instrumentIds: [1] }, { limit: 100_000, scanMax: 100_000 })
  return JSON.stringify(rows)
}

const files = async () => listNamedFiles(lake.database.pool, { limit: 100 })
const shape = async () =>
  (await files()).map(({ day, days, revision, fileRows, isShared }) => ({ day, days, revision, fileRows, isShared }))

async function events(): Promise<string[]> {
  const { rows } = await lake.database.pool.query<{ type: string }>(
    `select envelope::jsonb ->> 'type' as type from outbox order by position`,
  )
  return rows.map(({ type }) => type)
}

test('the days of a month share a file once the last of them has settled; those of the next one keep theirs', async () => {
  const before = await readAll()
  now = new Date('2024-09-02T23:59:59Z')
  expect(await mergeFinishedMonths(lake.deps, BYTES_MAX)).toMatchObject({ merged: 0 })
  now = new Date('2024-09-03T00:00:00Z')
  const announced = await events()
  expect(await mergeFinishedMonths(lake.deps, BYTES_MAX)).toEqual({ merged: 1, 'merged already': 0, changed: 0 })
  expect(await mergeFinishedMonths(lake.deps, BYTES_MAX)).toEqual({ merged: 0, 'merged already': 0, changed: 0 })
  expect(await shape()).toEqual([
    { day: FIRST, days: AUGUST, revision: 2, fileRows: 3 * ROWS, isShared: true },
    { day: FIRST + 3, days: [FIRST + 3], revision: 1, fileRows: ROWS, isShared: false },
    { day: FIRST + 4, days: [FIRST + 4], revision: 1, fileRows: ROWS, isShared: false },
  ])
  const [month] = await files()
  expect(month?.ref.key).toMatch(
    /^v1\/channel=trade\/venue=sim\/symbol=BTC-USDT\/month=2024-08\/[0-9a-f]{16}\.parquet$/,
  )
  expect(month && (await verifyFile(lake.deps.lake.store, month))).toBeUndefined()
  expect(await readAll()).toBe(before)
  // No row has changed, so nothing is announced.
  expect(await events()).toEqual(announced)
  expect(await sweepLake(lake.deps, 0, 0)).toEqual({ dropped: 3, deleted: 3 })
  expect(await readAll()).toBe(before)
})

test('months whose files are larger together, and days that PostgreSQL still has, keep files of their own', async () => {
  const bytes = (await files()).slice(0, 3).reduce((sum, { ref }) => sum + ref.bytes, 0)
  expect(await mergeFinishedMonths(lake.deps, bytes - 1)).toMatchObject({ merged: 0 })
  await lake.database.pool.query(`update sealed_file set hot_dropped_at = null where day = ${FIRST + 1}`)
  expect(await mergeFinishedMonths(lake.deps, bytes)).toMatchObject({ merged: 0 })
  await lake.database.pool.query('update sealed_file set hot_dropped_at = now()')
  expect(await mergeFinishedMonths(lake.deps, bytes)).toMatchObject({ merged: 1 })
})

test('files of a month are found by each of their days', async () => {
  await mergeFinishedMonths(lake.deps, BYTES_MAX)
  const found = async (from?: number, to?: number) =>
    (await listNamedFiles(lake.database.pool, { from, to, limit: 100 })).map(({ day }) => day)
  expect(await found(FIRST + 2)).toEqual([FIRST, ...SEPTEMBER])
  expect(await found(FIRST + 1, FIRST + 1)).toEqual([FIRST])
  expect(await found(FIRST + 3)).toEqual(SEPTEMBER)
  expect(await found(undefined, FIRST - 1)).toEqual([])
})

test('late data moves its day out of the file of the month, and the next merge adds it again', async () => {
  await mergeFinishedMonths(lake.deps, BYTES_MAX)
  const late = { instrumentId: 1, trades: trades(FIRST + 1, ROWS + 2), l2Events: [] }
  expect(await storeWithLake(lake.deps, [{ ...late, trades: trades(FIRST + 1, ROWS) }])).toMatchObject({ trades: 0 })
  expect(await storeWithLake(lake.deps, [late])).toMatchObject({ trades: 2 })
  const after = await readAll()
  expect(JSON.parse(after)).toHaveLength(5 * ROWS + 2)
  expect(await shape()).toMatchObject([{ days: [FIRST, FIRST + 2], fileRows: 3 * ROWS }, {}, {}])
  await lake.seal({ instrumentId: 1, day: FIRST + 1, isDropped: true })
  expect(await shape()).toMatchObject([
    { days: [FIRST + 1], revision: 3, fileRows: ROWS + 2, isShared: false },
    { days: [FIRST, FIRST + 2] },
    {},
    {},
  ])
  expect((await events()).filter((type) => type === 'market-data.data-corrected.v1')).toHaveLength(1)
  expect(await readAll()).toBe(after)
  expect(await mergeFinishedMonths(lake.deps, BYTES_MAX)).toMatchObject({ merged: 1 })
  expect(await shape()).toMatchObject([{ days: AUGUST, fileRows: 3 * ROWS + 2 }, {}, {}])
  expect(await readAll()).toBe(after)
})

test('an import of a day that shares its file adds only what is new', async () => {
  await mergeFinishedMonths(lake.deps, BYTES_MAX)
  const write = (count: number) => {
    const chunks = [tradeChunk(trades(FIRST + 2, count), FIRST + 2)]
    return writeSealedDay(lake.deps, { instrumentId: 1, day: FIRST + 2, records: { channel: 'trade', chunks } })
  }
  expect(await write(ROWS)).toEqual({ outcome: 'written', added: 0 })
  expect(await shape()).toMatchObject([{ days: AUGUST }, {}, {}])
  expect(await write(ROWS + 5)).toEqual({ outcome: 'written', added: 5 })
  expect(await shape()).toMatchObject([{ days: [FIRST, FIRST + 1] }, { days: [FIRST + 2], fileRows: ROWS + 5 }, {}, {}])
  expect(JSON.parse(await readAll())).toHaveLength(5 * ROWS + 5)
})

test('a day that is resealed gets back the file that it had, and nothing is announced as corrected', async () => {
  const [, alone] = await files()
  const before = await readAll()
  await mergeFinishedMonths(lake.deps, BYTES_MAX)
  const day = { instrumentId: 1, channel: 'trade', day: FIRST + 1 } as const
  expect(await resealDay(lake.deps, day)).toBe('sealed')
  expect((await files())[0]).toMatchObject({ sha256: alone?.sha256, days: [FIRST + 1], isShared: false })
  expect(await events()).not.toContain('market-data.data-corrected.v1')
  expect(await readAll()).toBe(before)
})

test('rows that arrive while a month is written are not lost: that attempt merges nothing', async () => {
  await lake.close()
  let isLate = false
  lake = await openTestLake(
    () => now,
    (store) => ({
      ...store,
      async putIfAbsent(key, bytes) {
        const late = { instrumentId: 1, trades: trades(FIRST, ROWS + 1), l2Events: [] }
        if (key.includes('month=') && !isLate) await storeWithLake(lake.deps, [late])
        isLate ||= key.includes('month=')
        return store.putIfAbsent(key, bytes)
      },
    }),
  )
  for (const day of AUGUST) {
    await storeAtOnce(lake.database.pool, [{ instrumentId: 1, trades: trades(day, ROWS), l2Events: [] }])
    await lake.seal({ instrumentId: 1, day, isDropped: true })
  }
  expect(await mergeFinishedMonths(lake.deps, BYTES_MAX)).toEqual({ merged: 0, 'merged already': 0, changed: 1 })
  expect(JSON.parse(await readAll())).toHaveLength(3 * ROWS + 1)
  await lake.seal({ instrumentId: 1, day: FIRST, isDropped: true })
  expect(await mergeFinishedMonths(lake.deps, BYTES_MAX)).toMatchObject({ merged: 1 })
  expect(JSON.parse(await readAll())).toHaveLength(3 * ROWS + 1)
  await sweepLake(lake.deps, 0, 0)
  const names = await readdir(lake.folder, { recursive: true })
  expect(names.filter((name) => name.endsWith('.parquet'))).toHaveLength(1)
})
