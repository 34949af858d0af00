import { execFile } from 'node:child_process'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { importFiles } from '../../test/import-files.fixture.ts'
import { openTestLake, type TestLake } from '../../test/lake/lake.fixture.ts'
import { dayStart } from '../nanoseconds.ts'
import { createLake } from '../lake/lake.ts'
import { listStoredRows } from '../lake/reading/list-stored-rows.ts'
import { sweepLake } from '../lake/sealing/sweep-lake.ts'
import type { ChannelName } from '../tables.ts'

/** Several processes one after the other. */
vi.setConfig({ testTimeout: 240_000 })

const DAY = 19_943
const SCRIPT = join(import.meta.dirname, '..', '..', 'test', 'lake', 'import-and-die.ts')
const LATER = new Date('2024-09-01T00:00:00Z')
let lake: TestLake

beforeEach(async () => {
  lake = await openTestLake()
})
afterEach(() => lake.close())

async function file(name: string, lines: readonly string[]): Promise<string> {
  const path = join(lake.folder, name)
  await writeFile(path, `${lines.join('\n')}\n`)
  return path
}

/** Rows of data.binance.vision; several share a millisecond. */
function tradesOf(day: number, count: number, firstId = 1): string[] {
  const startMs = Number(dayStart(day) / 1_000_000n)
  return Array.from({ length: count }, (_value, index) => {
    const id = firstId + index
    return `${id},${61_000 + (id % 7) / 100},0.5,${((61_000 + (id % 7) / 100) * 0.5).toFixed(3)},${startMs + Math.floor(id / 3)},true,true`
  })
}

async function rowsOf(symbol: string, channel: ChannelName = 'trade'): Promise<string[][]> {
  const { pool } = lake.database
  const { rows: found } = await pool.query<{ id: number }>({
    text: 'select instrument_id as id from instrument where venue = $1 and symbol = $2',
    values: ['binance', symbol],
  })
  const stores = { pool, lake: createLake(pool, lake.deps.lake.store, 8_000_000) }
  const filter = { order: 'asc', time_format: 'rfc3339' } as const
  const scan = { channel, instrumentIds: [found[0]?.id ?? 0], filter, after: undefined }
  const { rows } = await listStoredRows(stores, scan, { limit: 100_000, scanMax: 100_000 })
  return rows.map((row) => row.slice(1).map(String))
}

async function state(): Promise<unknown> {
  const { rows } = await lake.database.pool.query(`
    select (select count(*) from trade)::int + (select count(*) from l2_event)::int as hot,
      (select count(*) from sealed_file where superseded_at is null)::int as files,
      (select coalesce(max(revision), 0) from sealed_file) as revision`)
  return rows[0]
}

const direct = () => ({ ...lake.deps, lakeBefore: LATER })

test('past days are written into the lake, and read as if they were in PostgreSQL', async () => {
  const days = [tradesOf(DAY, 4_000), tradesOf(DAY + 1, 3_000, 50_000)]
  const usual = await file('ETHUSDT-trades-2024-08.csv', days.flat())
  const straight = await file('BTCUSDT-trades-2024-08.csv', days.flat())
  expect(await importFiles(lake.deps, 'binance-spot', [usual])).toMatchObject([
    { trades: { found: 7_000, added: 7_000 } },
  ])
  expect(await importFiles(direct(), 'binance-spot', [straight])).toMatchObject([
    { trades: { found: 7_000, added: 7_000 } },
  ])
  expect(await state()).toEqual({ hot: 7_000, files: 2, revision: 1 })
  const rows = await rowsOf('BTC-USDT')
  expect(rows).toHaveLength(7_000)
  expect(rows).toEqual(await rowsOf('ETH-USDT'))
})

test('a repeated import adds nothing, and an overlapping one adds its new records as the next revision', async () => {
  const all = tradesOf(DAY, 900)
  const first = await file('BTCUSDT-trades-2024-08-08.csv', all.slice(0, 500))
  const second = await file('BTCUSDT-trades-2024-08.csv', [...all.slice(300), ...all.slice(0, 20)])
  expect(await importFiles(direct(), undefined, [first])).toMatchObject([{ trades: { added: 500 } }])
  expect(await importFiles(direct(), undefined, [first])).toMatchObject([{ trades: { found: 500, added: 0 } }])
  expect(await state()).toEqual({ hot: 0, files: 1, revision: 1 })
  expect(await importFiles(direct(), undefined, [second])).toMatchObject([{ trades: { found: 620, added: 400 } }])
  expect(await importFiles(direct(), undefined, [second, first])).toMatchObject([
    { trades: { added: 0 } },
    { trades: { added: 0 } },
  ])
  expect(await state()).toEqual({ hot: 0, files: 1, revision: 2 })
  const rows = await rowsOf('BTC-USDT')
  expect(rows.map(([sequence]) => sequence)).toEqual(Array.from({ length: 900 }, (_value, index) => String(index + 1)))
  expect((await lake.database.pool.query(`select stored_rows from channel where stored_rows > 0`)).rows).toEqual([
    { stored_rows: '900' },
  ])
})

test('a day with rows in PostgreSQL and an unfinished day are stored through PostgreSQL', async () => {
  const [first, second] = [tradesOf(DAY, 100), tradesOf(DAY, 200)]
  const some = await file('BTCUSDT-trades-2024-08-08.csv', first)
  await importFiles(lake.deps, undefined, [some])
  const more = await file('BTCUSDT-trades-2024-08.csv', [...second, ...tradesOf(DAY + 1, 50, 9_000)])
  const lakeBefore = new Date(Number(dayStart(DAY + 2) / 1_000_000n))
  expect(await importFiles({ ...lake.deps, lakeBefore }, undefined, [more])).toMatchObject([{ trades: { added: 150 } }])
  expect(await state()).toEqual({ hot: 250, files: 0, revision: 0 })
})

test('book events go into the lake with their gaps and epochs', async () => {
  const frame = (at: number, data: object) =>
    `${BigInt(DAY) * 86_400_000_000_000n + BigInt(at)} ${JSON.stringify(data)}`
  const update = (first: number, last: number) =>
    frame(last, {
      stream: 'x',
      data: {
        e: 'depthUpdate',
        E: Number(dayStart(DAY) / 1_000_000n) + last,
        s: 'BTCUSDT',
        U: first,
        u: last,
        b: [['1', '2']],
        a: [],
      },
    })
  const snapshot = frame(1, { lastUpdateId: 20, bids: [['1', '1']], asks: [['2', '1']] })
  const lines = [update(1, 20), snapshot, update(21, 30), update(31, 35), update(37, 40)]
  const one = await file('one', lines)
  expect(await importFiles(direct(), 'binance-spot', [one])).toMatchObject([{ l2_events: { added: 4 }, gaps: 1 }])
  const straight = await rowsOf('BTC-USDT', 'l2_event')
  expect(await state()).toEqual({ hot: 0, files: 1, revision: 1 })
  await lake.close()
  lake = await openTestLake()
  await importFiles(lake.deps, 'binance-spot', [await file('two', lines)])
  expect(straight).toEqual(await rowsOf('BTC-USDT', 'l2_event'))
})

/** Runs one import in a process that may kill itself at a given step. */
async function run(path: string, crashAt?: string, nth = 1): Promise<{ signal: unknown; output: string }> {
  const order = join(lake.folder, 'order.json')
  await writeFile(order, JSON.stringify({ databaseUrl: lake.database.url, folder: lake.folder, path, crashAt, nth }))
  return new Promise((resolve) => {
    execFile(process.execPath, [SCRIPT, order], (error, output, errors) => {
      resolve({ signal: error === null ? undefined : (error.signal ?? errors), output })
    })
  })
}

test.each([
  ['half put', 1],
  ['after put', 1],
  ['before insert into sealed_file', 1],
  ['before commit', 1],
  ['before superseded_at = now', 1],
] as const)(
  'an import that is killed %s (%i) has stored whole days or nothing, and the next one stores the rest',
  async (crashAt, nth) => {
    const all = tradesOf(DAY, 300)
    const start = await file('BTCUSDT-trades-2024-08-08.csv', all.slice(0, 100))
    expect(await run(start)).toEqual({ signal: undefined, output: '100' })
    const path = await file('BTCUSDT-trades-2024-08.csv', all)
    const before = await rowsOf('BTC-USDT')
    expect(await run(path, crashAt, nth)).toMatchObject({ signal: 'SIGKILL' })
    expect(await rowsOf('BTC-USDT')).toEqual(before)
    expect(await run(path)).toEqual({ signal: undefined, output: '200' })
    const rows = await rowsOf('BTC-USDT')
    expect(rows.map(([sequence]) => sequence)).toEqual(
      Array.from({ length: 300 }, (_value, index) => String(index + 1)),
    )
    await sweepLake(lake.deps, 0, 0)
    const names = await readdir(lake.folder, { recursive: true })
    expect(names.filter((name) => name.endsWith('.parquet'))).toHaveLength(1)
    expect(await rowsOf('BTC-USDT')).toEqual(rows)
  },
)
