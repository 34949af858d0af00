import { execFile } from 'node:child_process'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestLake, type TestLake } from '../test/lake/lake.fixture.ts'
import { someTrade } from '../test/records.fixture.ts'
import { tradeChunk } from './lake/encoding/trade-chunk.ts'
import { writeSealedDay } from './lake/sealing/write-sealed-day.ts'
import { dayStart } from './nanoseconds.ts'
import { storeAtOnce } from './store/store-records.ts'

const DAY = 19_943
/** Several commands one after the other, each in a process of its own. */
const COMMANDS_TIMEOUT_MS = 240_000
let lake: TestLake

beforeAll(async () => {
  lake = await openTestLake()
  const trades = (day: number) => [someTrade('1', dayStart(day)), someTrade('2', dayStart(day) + 1n)]
  await storeAtOnce(lake.database.pool, [{ instrumentId: 1, trades: trades(DAY), l2Events: [] }])
  await lake.seal({ instrumentId: 1, day: DAY, isDropped: true })
  const records = { channel: 'trade', chunks: [tradeChunk(trades(DAY + 1), DAY + 1)] } as const
  const second = { instrumentId: 1, day: DAY + 1, records }
  expect(await writeSealedDay(lake.deps, second)).toEqual({ outcome: 'written', added: 2 })
})
afterAll(() => lake.close())

async function run(...args: string[]): Promise<{ code: unknown; output: string; errors: string }> {
  const env = { ...process.env, DATABASE_URL: lake.database.url, LAKE_URL: `file:${lake.folder}` }
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(import.meta.dirname, 'lake-command.ts'), ...args],
      { env },
      (error, output, errors) => {
        resolve({ code: error?.code ?? 0, output, errors })
      },
    )
  })
}

test(
  'files are listed, verified and rewritten; damage is reported with exit code 1',
  async () => {
    const listed = await run('list', '--venue', 'sim', '--from', '2024-08-08', '--to', '2024-08-08')
    expect(listed).toMatchObject({ code: 0, errors: '' })
    expect(listed.output).toMatch(
      /date=2024-08-08\/[0-9a-f]{16}\.parquet {2}2 rows {2}\d+ bytes {2}revision 1 {2}lake\n1 files\n$/,
    )
    expect(await run('verify')).toMatchObject({ code: 0, output: expect.stringMatching(/ok\n.* {2}ok\n2 files\n$/) })
    const resealed = await run('reseal', '--venue', 'sim', '--symbol', 'BTC-USDT', '--to', '2024-08-08')
    expect(resealed).toMatchObject({ code: 0, output: 'trade 2024-08-08  sealed\n1 files\n' })
    expect((await run('list')).output).toContain('revision 2')
    const names = await readdir(lake.folder, { recursive: true })
    await rm(join(lake.folder, names.find((name) => name.endsWith('.parquet') && name.includes('2024-08-09')) ?? ''))
    const damaged = await run('verify')
    expect(damaged.code).toBe(1)
    expect(damaged.output).toMatch(/2024-08-08\/.* {2}ok\n.*2024-08-09\/.*cannot be opened\n2 files, 1 damaged\n$/)
  },
  COMMANDS_TIMEOUT_MS,
)

const WRONG_USES: [string, ...string[]][] = [
  ['Name a command.'],
  ['reseal needs --venue and --symbol.', 'reseal'],
  ['--channel is trade or l2_event, not book.', 'list', '--channel', 'book'],
  ["Unknown option '--venues'\n", 'list', '--venues', 'sim'],
]

test(
  'wrong use is explained, help is no error, and the channels also have the names of the API',
  async () => {
    const ended = await Promise.all(WRONG_USES.map(([, ...words]) => run(...words)))
    for (const [n, { code, errors }] of ended.entries()) {
      expect(code).toBe(2)
      expect(errors).toMatch(new RegExp(`^lake: ${WRONG_USES[n]?.[0]}[^]*Usage: npm run lake`))
    }
    const [help, listed] = await Promise.all([run('--help'), run('list', '--channel', 'l2events')])
    expect(help).toMatchObject({ code: 0, errors: '' })
    expect(listed).toMatchObject({ code: 0, output: '0 files\n' })
  },
  COMMANDS_TIMEOUT_MS,
)

test(
  'recorded files are imported straight into the lake, and a second import adds nothing',
  async () => {
    const file = join(lake.folder, 'BTCUSDT-trades-2024-08-12.csv')
    await writeFile(
      file,
      '7,61000.5,0.2,12200.1,1723420800123,True,True\n8,61001,0.1,6100.1,1723420800124,False,True\n',
    )
    const first = await run('import', 'binance-spot', file)
    expect(first).toMatchObject({ code: 0, output: expect.stringContaining('2 trades: 2 added') })
    expect((await run('list', '--venue', 'binance')).output).toMatch(
      /venue=binance.*date=2024-08-12.* {2}2 rows.* {2}lake\n/,
    )
    expect(await run('import', file)).toMatchObject({ code: 0, output: expect.stringContaining('2 trades: 0 added') })
  },
  COMMANDS_TIMEOUT_MS,
)
