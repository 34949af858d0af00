import { execFile } from 'node:child_process'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openTestLake, type TestLake } from '../../../test/lake/lake.fixture.ts'
import type { Order } from '../../../test/lake/run-and-die.ts'
import { someTrade } from '../../../test/records.fixture.ts'
import { storeAtOnce } from '../../store/store-records.ts'
import { createLake } from '../lake.ts'
import { listStoredRows } from '../reading/list-stored-rows.ts'

/** Up to seven processes one after the other. */
vi.setConfig({ testTimeout: 240_000 })

const DAY = 19_943
const DAY_NS = 86_400_000_000_000n
const START = BigInt(DAY) * DAY_NS
const ROWS = 500
const SCRIPT = join(import.meta.dirname, '..', '..', '..', 'test', 'lake', 'run-and-die.ts')

let lake: TestLake
let expected: string

beforeEach(async () => {
  lake = await openTestLake()
  await storeAtOnce(lake.database.pool, [{ instrumentId: 1, trades: trades(ROWS), l2Events: [] }])
  expected = await readDay()
})
afterEach(() => lake.close())

function trades(count: number, first = 0) {
  return Array.from({ length: count }, (_value, index) =>
    someTrade(String(first + index), START + BigInt((first + index) % 100), { size: `${index + 1}` }),
  )
}

/** Every row with its sequence, read with an empty cache. */
async function readDay(): Promise<string> {
  const { pool } = lake.database
  const stores = { pool, lake: createLake(pool, lake.deps.lake.store, 1_000_000) }
  const filter = { order: 'asc', time_format: 'rfc3339' } as const
  const scan = { channel: 'trade', instrumentIds: [1], filter, after: undefined } as const
  const { rows } = await listStoredRows(stores, { ...scan, instrumentIds: [1] }, { limit: 10_000, scanMax: 10_000 })
  return JSON.stringify(rows)
}

type More = Partial<Pick<Order, 'batch' | 'crashAt' | 'nth'>>

async function run(action: Order['action'], more: More = {}): Promise<{ signal: unknown; output: string }> {
  const { database, folder } = lake
  const order: Order = { databaseUrl: database.url, folder, action, instrumentId: 1, day: DAY, ...more }
  const file = join(folder, 'order.json')
  await writeFile(file, JSON.stringify(order))
  return new Promise((resolve) => {
    execFile(process.execPath, [SCRIPT, file], (error, output, errors) => {
      resolve({ signal: error === null ? undefined : (error.signal ?? errors), output })
    })
  })
}

async function objects(): Promise<string[]> {
  const names = await readdir(lake.folder, { recursive: true })
  return names.filter((name) => name.endsWith('.parquet'))
}

async function state(): Promise<{ current: number; hotRows: number }> {
  const { rows } = await lake.database.pool.query<{ current: number; hot_rows: number }>(
    `select (select count(*) from sealed_file where superseded_at is null)::int as current,
       (select count(*) from trade)::int as hot_rows`,
  )
  return { current: rows[0]?.current ?? -1, hotRows: rows[0]?.hot_rows ?? -1 }
}

/** The run after a kill results in the same state as an uninterrupted run. */
async function expectSealedByRepeating(): Promise<void> {
  expect(await run('seal')).toEqual({ signal: undefined, output: expect.stringMatching(/"sealed( already)?"/) })
  expect(await run('drop')).toMatchObject({ signal: undefined })
  expect(await state()).toEqual({ current: 1, hotRows: 0 })
  expect(await readDay()).toBe(expected)
  expect(await run('sweep')).toMatchObject({ signal: undefined })
  expect(await objects()).toHaveLength(1)
  expect(await readDay()).toBe(expected)
}

test.each([
  ['before put', 1, 0],
  ['half put', 1, 0],
  ['after put', 1, 0],
  ['before insert into sealed_file', 1, 0],
  ['before commit', 2, 0],
] as const)(
  'a seal that is killed %s (%i) has sealed nothing, and the next one seals',
  async (crashAt, nth, current) => {
    expect(await run('seal', { crashAt, nth })).toMatchObject({ signal: 'SIGKILL' })
    expect(await state()).toEqual({ current, hotRows: ROWS })
    expect(await readDay()).toBe(expected)
    await expectSealedByRepeating()
  },
)

test.each([
  ['before hot_dropped_at', 2],
  ['before drop table', 1],
  ['before commit', 1],
])('a drop that is killed %s (%i) has dropped nothing, and the next one drops', async (crashAt, nth) => {
  await run('seal')
  expect(await run('drop', { crashAt, nth })).toMatchObject({ signal: 'SIGKILL' })
  expect(await state()).toEqual({ current: 1, hotRows: ROWS })
  expect(await readDay()).toBe(expected)
  await expectSealedByRepeating()
})

test.each([
  ['before superseded_at = now', 1, 1],
  ['before copy trade', 1, 1],
  ['before commit', 2, 1],
  ['before on conflict', 1, 0],
] as const)('late data killed %s (%i) changes no row, and arrives the next time', async (crashAt, nth, current) => {
  await run('seal')
  await run('drop')
  const batch = JSON.stringify({ instrumentId: 1, trades: trades(ROWS + 3), l2Events: [] })
  expect(await run('store', { batch, crashAt, nth })).toMatchObject({ signal: 'SIGKILL' })
  expect(await state()).toEqual({ current, hotRows: current === 1 ? 0 : ROWS })
  expect(await readDay()).toBe(expected)
  expect(await run('store', { batch })).toEqual({ signal: undefined, output: '{"trades":3,"l2Events":0}' })
  expected = await readDay()
  expect(JSON.parse(expected)).toHaveLength(ROWS + 3)
  await expectSealedByRepeating()
})

test.each([
  ['half put', 1],
  ['after put', 1],
  ['before superseded_at = now', 1],
  ['before insert into sealed_file', 1],
  ['before commit', 1],
] as const)(
  'a merge of a month that is killed %s (%i) has merged nothing, and the next one merges',
  async (crashAt, nth) => {
    const tomorrow = trades(ROWS, ROWS).map((trade) => ({ ...trade, tsEvent: String(BigInt(trade.tsEvent) + DAY_NS) }))
    await storeAtOnce(lake.database.pool, [{ instrumentId: 1, trades: tomorrow, l2Events: [] }])
    for (const day of [DAY, DAY + 1]) await lake.seal({ instrumentId: 1, day, isDropped: true })
    expected = await readDay()
    expect(await run('merge', { crashAt, nth })).toMatchObject({ signal: 'SIGKILL' })
    expect(await state()).toEqual({ current: 2, hotRows: 0 })
    expect(await readDay()).toBe(expected)
    expect(await run('merge')).toMatchObject({ output: expect.stringContaining('"merged":1') })
    expect(await readDay()).toBe(expected)
    expect(await run('sweep')).toMatchObject({ signal: undefined })
    expect(await objects()).toHaveLength(1)
    expect(await readDay()).toBe(expected)
  },
)

test('a sweep that is killed between two deletions deletes no object that the manifest references', async () => {
  await run('seal')
  await run('drop')
  for (const name of ['one', 'two']) {
    await lake.deps.lake.store.putIfAbsent(`v1/${name}.parquet`, new Uint8Array(10))
  }
  expect(await run('sweep', { crashAt: 'after delete' })).toMatchObject({ signal: 'SIGKILL' })
  expect(await objects()).toHaveLength(2)
  await expectSealedByRepeating()
})
