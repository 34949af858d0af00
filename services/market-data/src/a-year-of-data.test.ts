import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { openTestDatabase, type TestDatabase } from '@tapeline/testing/test-database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeZip } from '../test/make-zip.fixture.ts'
import { migrations } from './migrations/all.ts'
import { dayName, dayStart } from './nanoseconds.ts'
import type { Tables } from './tables.ts'

const REPOSITORY = resolve(import.meta.dirname, '..', '..', '..')
const FIRST_DAY = 19_723
const DAYS = 3
const ROWS = 500
/** Several commands one after the other, each in a process of its own. */
const COMMANDS_TIMEOUT_MS = 240_000
let database: TestDatabase<Tables>
let folder: string

beforeAll(async () => {
  database = await openTestDatabase<Tables>(migrations)
  folder = await mkdtemp(join(tmpdir(), 'tapeline-year-'))
  for (let day = FIRST_DAY; day < FIRST_DAY + DAYS; day += 1) {
    const startMs = Number(dayStart(day) / 1_000_000n)
    const lines = Array.from(
      { length: ROWS },
      (_value, row) => `${day * ROWS + row},100.5,2,201,${startMs + row},true,true\n`,
    )
    const name = `BTCUSDT-trades-${dayName(day).replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3')}`
    await writeFile(join(folder, `${name}.zip`), await makeZip({ [`${name}.csv`]: lines.join('') }))
  }
})
afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true })
})

/** The blocks of the guide in a language, with the folders of this test. */
async function blocks(language: string): Promise<string[]> {
  const text = await readFile(join(REPOSITORY, 'docs', 'a-year-of-data.md'), 'utf8')
  return [...text.matchAll(/^```(\w+)\n([^`]+)^```$/gm)]
    .filter(([, name]) => name === language)
    .map(([, , code = '']) => code.replaceAll('year/', `${folder}/`).replaceAll('.tapeline/lake', `${folder}/lake`))
}

async function run(command: string): Promise<{ code: unknown; output: string; errors: string }> {
  const env = { ...process.env, DATABASE_URL: database.url, LAKE_URL: `file:${folder}/lake` }
  return new Promise((done) => {
    execFile('sh', ['-ec', command], { env, cwd: REPOSITORY }, (error, output, errors) => {
      done({ code: error?.code ?? 0, output, errors })
    })
  })
}

test(
  'the commands of the guide import, list and verify days, and its query reads them',
  async () => {
    const [download, importing, verifying, ...others] = await blocks('sh')
    expect(download).toContain('https://data.binance.vision/data/spot/daily/trades/')
    expect(others).toEqual([])
    const imported = await run(importing ?? '')
    expect(imported).toMatchObject({ code: 0, errors: '' })
    expect(imported.output).toContain('1,500 records added.')
    const verified = await run(verifying ?? '')
    expect(verified).toMatchObject({ code: 0, errors: '' })
    expect(verified.output.match(/ 500 rows .* lake$/gm)).toHaveLength(DAYS)
    expect(verified.output.match(/ ok$/gm)).toHaveLength(DAYS)
    const again = await run(importing ?? '')
    expect(again.output).toContain('No new records: all 1,500 were already stored.')
    const [query = '', ...more] = await blocks('sql')
    expect(more).toEqual([])
    const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
    const connection = await instance.connect()
    const result = await connection.runAndReadAll(query)
    expect(result.getRowsJson()).toEqual(
      ['2024-01-01', '2024-01-02', '2024-01-03'].map((date) => [date, '500', '100.5', '100.5', '100500.0']),
    )
    connection.closeSync()
    instance.closeSync()
  },
  COMMANDS_TIMEOUT_MS,
)
