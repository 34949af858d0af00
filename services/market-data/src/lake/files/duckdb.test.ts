import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readWithDuckDb } from '../../../test/lake/duckdb.fixture.ts'
import { writeRows } from '../../../test/lake/file-in-memory.fixture.ts'
import { someL2Rows, someTradeRows } from '../../../test/lake/some-rows.fixture.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tapeline-duckdb-'))
})
afterAll(() => rm(folder, { recursive: true }))

test.each([
  ['trade', someTradeRows(70_000)],
  ['l2_event', someL2Rows(6_000)],
] as const)('DuckDB reads every value of a %s file as it was written', async (channel, rows) => {
  const path = join(folder, `${channel}.parquet`)
  await writeFile(path, writeRows(channel, rows).bytes)
  expect(await readWithDuckDb(channel, path)).toEqual(rows)
})

test('prices that need more than 18 digits are text that DuckDB reads exactly', async () => {
  const long = '123456789012345678901234567890.123456789012345678'
  const rows = someTradeRows(10).map((row, index) => (index === 3 ? row.with(7, long) : row))
  const path = join(folder, 'long.parquet')
  await writeFile(path, writeRows('trade', rows).bytes)
  expect(await readWithDuckDb('trade', path)).toEqual(rows)
})
