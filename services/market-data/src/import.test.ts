import { execFile, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { startFaultProxy } from '@tapeline/testing/fault-proxy'
import { waitUntil } from '@tapeline/testing/wait-until'
import { openTestDatabase, type TestDatabase } from '@tapeline/testing/test-database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrations } from './migrations/all.ts'
import type { Tables } from './tables.ts'

/** Longer than a service waits for a connection. */
const SLOW_CONNECT_MS = 2_000
const LOCAL_NS = 1_723_161_254_000_000_000n
/** Several imports one after the other, each in a process of its own. */
const RUNS_TIMEOUT_MS = 240_000
let database: TestDatabase<Tables>
let folder: string

beforeAll(async () => {
  database = await openTestDatabase<Tables>(migrations)
  folder = await mkdtemp(join(tmpdir(), 'tapeline-import-'))
})
afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true })
})

type Outcome = { code: number; output: string; errors: string }

async function runImport(...args: string[]): Promise<Outcome> {
  return runImportInto(database.url, ...args)
}

async function runImportInto(databaseUrl: string, ...args: string[]): Promise<Outcome> {
  const script = join(import.meta.dirname, 'import.ts')
  const env = { ...process.env, DATABASE_URL: databaseUrl }
  return new Promise((resolve) => {
    execFile(process.execPath, [script, ...args], { env }, (error, output, errors) => {
      resolve({ code: error === null ? 0 : Number(error.code), output, errors })
    })
  })
}

async function file(name: string, content: string | Buffer): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, content)
  return path
}

function line(index: number, data: object): string {
  return `${LOCAL_NS + BigInt(index)} ${JSON.stringify({ stream: 'x', data })}\n`
}

function tradeLine(id: number): string {
  return line(id, {
    e: 'trade',
    E: 1723161255343,
    s: 'BTCUSDT',
    t: id,
    p: '61837.63000000',
    q: '0.02000000',
    T: 1723161255342,
    m: true,
    M: true,
  })
}

function updateLine(first: number, last: number): string {
  return line(last, {
    e: 'depthUpdate',
    E: 1723161255000 + last,
    s: 'BTCUSDT',
    U: first,
    u: last,
    b: [['1', '2']],
    a: [],
  })
}

const snapshot = `${LOCAL_NS} ${JSON.stringify({ lastUpdateId: 20, bids: [['1', '1']], asks: [['2', '1']] })}\n`

test('frames become trades and a joined book; the next file continues the book, the same files add nothing', async () => {
  const trades = Array.from({ length: 30 }, (_value, index) => tradeLine(1000 + index)).join('')
  const first = await file(
    'one.gz',
    gzipSync(`${updateLine(1, 19)}${updateLine(20, 24)}${snapshot}${trades}${updateLine(25, 30)}`),
  )
  const second = await file('two', `${updateLine(31, 35)}${updateLine(37, 40)}${tradeLine(1030)}`)
  const run = await runImport('binance-spot', first)
  expect(run).toMatchObject({ code: 0, errors: '' })
  expect(run.output).toContain('30 trades: 30 added')
  expect(run.output).toContain('1 snapshots, 2 updates; 1 updates older than their snapshot')
  const alone = await runImport('binance-spot', second)
  expect(alone.output).toContain('2 book events: 2 added; 1 gaps')
  expect(alone.output).toContain('1 updates without a snapshot before them were not stored')
  const again = await runImport('binance-spot', first, second)
  expect(again).toMatchObject({ code: 0 })
  expect(again.output).toContain('No new records: all 36 were already stored.')
  const { rows } = await database.pool.query('select source_id, type from l2_event order by ts_event, sequence')
  expect(rows.map(({ source_id, type }) => `${type} ${source_id}`)).toEqual([
    's s20',
    'u 24',
    'u 30',
    'u 35',
    'g g35-37',
  ])
})

test.each([
  ['a kind without a file', ['binance-spot'], 2, 'Usage: npm run import'],
  ['no file', [], 2, 'Usage: npm run import'],
  ['columns without a mapping', ['csv', '/ticks.csv'], 2, 'csv needs --mapping <file>, which describes its columns.'],
  ['an unknown option', ['--foo', '/ticks.csv'], 2, "Unknown option '--foo'\n"],
  ['a missing file', ['lean-trade', '/nowhere.zip'], 1, '/nowhere.zip: there is no such file'],
])('%s is reported in one line or by the usage', async (_name, args, code, message) => {
  const run = await runImport(...args)
  expect(run.code).toBe(code)
  expect(run.errors).toContain(message)
})

test('an unreadable line is skipped and reported by its number, and the exit code is 1', async () => {
  const spoiled = await file('spoiled', `${tradeLine(5000)}${tradeLine(5001)}not a frame\n${tradeLine(5002)}`)
  const run = await runImport('binance-spot', spoiled, '--json')
  expect(run.code).toBe(1)
  expect(JSON.parse(run.output)).toEqual({
    files: [
      {
        file: spoiled,
        kind: 'binance-spot',
        instruments: ['binance:BTC-USDT'],
        trades: { found: 3, added: 3 },
        l2_events: { found: 0, added: 0 },
        gaps: 0,
        missing_trades: 0,
        refused: { count: 1, first: [{ line: 3, reason: 'does not begin with a time of 19 digits' }] },
        notes: [],
      },
    ],
  })
  expect((await runImport(spoiled)).output).toContain('line 3: does not begin with a time of 19 digits')
})

test('damaged, empty and unknown files are rejected', async () => {
  const cut = await file('cut.gz', gzipSync(tradeLine(1)).subarray(0, 40))
  expect((await runImport(cut)).errors).toContain('cannot be read')
  expect((await runImport(await file('empty', ''))).errors).toContain('is empty')
  const text = await file('text', 'only words\n')
  expect(await runImport(text)).toMatchObject({
    code: 1,
    errors: expect.stringContaining('is not a file that can be imported'),
  })
})

test('an import waits for a PostgreSQL that is slow to accept its connection', async () => {
  const proxy = await startFaultProxy(database.url)
  const url = new URL(database.url)
  url.port = String(proxy.port)
  proxy.setFault('hang')
  const running = runImportInto(url.href, 'binance-spot', await file('slow', tradeLine(7000)))
  await waitUntil('it connects', () => proxy.occurrences('import') > 0, 60_000)
  await delay(SLOW_CONNECT_MS)
  proxy.setFault('pass')
  expect(await running).toMatchObject({ code: 0, errors: '' })
  await proxy.stop()
})

const MANY = 60_000
/** Advisory lock that stops an import after its first portion. */
const STOP_LOCK = 7

/** Makes every insert of trades wait for the lock once this instrument has trades, however long that takes. */
async function stopAfterFirstPortion(symbol: string): Promise<void> {
  await database.pool.query(`
    create function wait_for_test() returns trigger language plpgsql set lock_timeout = 0 as $$ begin
      if exists (select from trade join instrument using (instrument_id) where symbol = '${symbol}') then
        perform pg_advisory_xact_lock(${STOP_LOCK});
      end if;
      return null;
    end $$;
    create trigger wait_for_test before insert on trade for each statement execute function wait_for_test()`)
}

test(
  'an import that was killed is resumed by starting it again: each trade once, sequences without a hole',
  async () => {
    const header = 'id,price,qty,quote_qty,time,is_buyer_maker\n'
    const rows = Array.from({ length: MANY }, (_value, id) => `${id + 1},100,2,200,${1_723_161_255_000 + id},true\n`)
    const path = await file('ETHUSDT-trades-2024-08-09.csv', header + rows.join(''))
    const script = join(import.meta.dirname, 'import.ts')
    await stopAfterFirstPortion('ETH-USDT-PERP')
    const stopping = await database.pool.connect()
    await stopping.query(`select pg_advisory_lock(${STOP_LOCK})`)
    const child = spawn(process.execPath, [script, path], { env: { ...process.env, DATABASE_URL: database.url } })
    const ended = new Promise((resolve) => child.once('exit', (_code, signal) => resolve(signal)))
    await waitUntil('the first portion', async () => (await storedOf('ETH-USDT-PERP')).trades > 0, 60_000)
    child.kill('SIGKILL')
    expect(await ended).toBe('SIGKILL')
    expect((await storedOf('ETH-USDT-PERP')).trades).toBeLessThan(MANY)
    await stopping.query(`select pg_advisory_unlock(${STOP_LOCK})`)
    stopping.release()
    await database.pool.query('drop function wait_for_test() cascade')
    expect(await runImport(path)).toMatchObject({ code: 0 })
    expect(await storedOf('ETH-USDT-PERP')).toEqual({ trades: MANY, ids: MANY, first: 1, last: MANY })
  },
  RUNS_TIMEOUT_MS,
)

type StoredTrades = { trades: number; ids: number; first: number; last: number }

async function storedOf(symbol: string): Promise<StoredTrades> {
  const { rows } = await database.pool.query<StoredTrades>(
    `select count(*)::int as trades, count(distinct source_id)::int as ids,
            min(sequence)::int as first, max(sequence)::int as last
     from trade join instrument using (instrument_id) where symbol = $1`,
    [symbol],
  )
  return rows[0] ?? { trades: 0, ids: 0, first: 0, last: 0 }
}
