import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { importFiles } from '../../../test/import-files.fixture.ts'
import { openTestLake, type TestLake } from '../../../test/lake/lake.fixture.ts'
import { someTrade } from '../../../test/records.fixture.ts'
import { dayStart } from '../../nanoseconds.ts'
import { storeAtOnce } from '../../store/store-records.ts'
import { createLake } from '../lake.ts'
import { openStore } from '@tapeline/objects/open-store'
import { dropSealedDays } from './drop-sealed-days.ts'
import { sealSettledDays } from './seal-settled-days.ts'
import { sweepLake } from './sweep-lake.ts'

const DAY = 19_943
const ROWS = 200
const SECRET = 'never-to-be-logged'
let lake: TestLake
/** A bucket whose server does not listen. */
let unavailable: TestLake['deps']
let folder: string

beforeEach(async () => {
  lake = await openTestLake()
  folder = await mkdtemp(join(tmpdir(), 'tapeline-outage-'))
  const store = openStore({
    LAKE_URL: 's3://lake?endpoint=http://127.0.0.1:9',
    LAKE_ACCESS_KEY_ID: 'key',
    LAKE_SECRET_ACCESS_KEY: SECRET,
  })
  unavailable = { ...lake.deps, lake: createLake(lake.database.pool, store, 1_000_000) }
})
afterEach(async () => {
  await lake.close()
  await rm(folder, { recursive: true })
})

async function counts(): Promise<unknown> {
  const { rows } = await lake.database.pool.query(
    'select (select count(*) from trade)::int as hot, (select count(*) from sealed_file)::int as files',
  )
  return rows[0]
}

async function failureOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  return error instanceof Error ? `${error.message} ${error.stack} ${String(error.cause)}` : 'it succeeded'
}

test('while the bucket is unavailable no row leaves PostgreSQL, and sealing resumes afterwards', async () => {
  const trades = Array.from({ length: ROWS }, (_value, at) => someTrade(String(at + 1), dayStart(DAY) + BigInt(at)))
  await storeAtOnce(lake.database.pool, [{ instrumentId: 1, trades, l2Events: [] }])
  expect(await failureOf(sealSettledDays(unavailable))).toContain('the object store does not answer')
  expect(await counts()).toEqual({ hot: ROWS, files: 0 })
  expect(await sealSettledDays(lake.deps)).toMatchObject({ sealed: 1 })
  const failure = await failureOf(dropSealedDays(unavailable, 0))
  expect(failure).toContain('is not dropped from PostgreSQL: the object store does not answer')
  expect(failure).not.toContain(SECRET)
  expect(await counts()).toEqual({ hot: ROWS, files: 1 })
  expect(await failureOf(sweepLake(unavailable, 0, 0))).toContain('the object store does not answer')
  expect(await dropSealedDays(lake.deps, 0)).toBe(1)
  expect(await counts()).toEqual({ hot: 0, files: 1 })
})

test('an import while the bucket is unavailable stores nothing of a past day and reports that; repeated later, it stores all', async () => {
  const lines = Array.from(
    { length: ROWS },
    (_value, row) => `${row + 1},100,2,200,${1_723_075_200_000 + row},true,true\n`,
  )
  const path = join(folder, 'BTCUSDT-trades-2024-08-08.csv')
  await writeFile(path, lines.join(''))
  const lakeBefore = new Date('2024-09-01T00:00:00Z')
  const failure = await failureOf(importFiles({ ...unavailable, lakeBefore }, undefined, [path]))
  expect(failure).toContain('the object store does not answer')
  expect(failure).not.toContain(SECRET)
  expect(await counts()).toEqual({ hot: 0, files: 0 })
  expect(await importFiles({ ...lake.deps, lakeBefore }, undefined, [path])).toMatchObject([
    { trades: { added: ROWS } },
  ])
  expect(await counts()).toEqual({ hot: 0, files: 1 })
})
