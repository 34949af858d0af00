import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { importFiles } from '../../test/import-files.fixture.ts'
import { openTestLake } from '../../test/lake/lake.fixture.ts'
import { dayStart } from '../nanoseconds.ts'

const DAY = 19_943
const MIDNIGHT_MS = Number(dayStart(DAY + 1) / 1_000_000n)
/** The trade with this id is the first one of DAY + 1; trades are a second apart. */
const FIRST_OF_DAY = 151

const lake = await openTestLake()
afterAll(() => lake.close())

const timeOf = (id: number) => MIDNIGHT_MS + (id - FIRST_OF_DAY) * 1_000

/** Imports a file of data.binance.vision into the lake. */
async function importIds(...ids: number[]): Promise<void> {
  const path = join(lake.folder, 'BTCUSDT-trades-2024-08.csv')
  await writeFile(path, ids.map((id) => `${id},61000.5,0.5,30500.25,${timeOf(id)},true,true\n`).join(''))
  const deps = { ...lake.deps, lakeBefore: new Date('2024-09-01T00:00:00Z') }
  expect(await importFiles(deps, undefined, [path])).toMatchObject([{ trades: { added: ids.length } }])
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_value, index) => from + index)

async function gaps(): Promise<number[][]> {
  const { rows } = await lake.database.pool.query<Record<string, string>>(
    `select from_id, to_id, missing, from_ts / 1000000 as from_ms, to_ts / 1000000 as to_ms from trade_gap
     where filled_at is null order by from_id`,
  )
  return rows.map((row) => Object.values(row).map(Number))
}

test('trades that are missing over midnight are a smaller gap after each day is imported, and none after both', async () => {
  await importIds(99, 201)
  expect(await gaps()).toEqual([[100, 200, 101, timeOf(99), timeOf(201)]])
  await importIds(...range(100, FIRST_OF_DAY - 1))
  expect(await gaps()).toEqual([[FIRST_OF_DAY, 200, 50, timeOf(FIRST_OF_DAY - 1), timeOf(201)]])
  await importIds(...range(170, 180))
  expect(await gaps()).toEqual([
    [FIRST_OF_DAY, 169, 19, timeOf(FIRST_OF_DAY - 1), timeOf(170)],
    [181, 200, 20, timeOf(180), timeOf(201)],
  ])
  await importIds(...range(FIRST_OF_DAY, 169))
  await importIds(...range(181, 200))
  expect(await gaps()).toEqual([])
})
