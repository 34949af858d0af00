import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { openTestLake, type TestLake } from '../../../test/lake/lake.fixture.ts'
import { someTrade } from '../../../test/records.fixture.ts'
import { dayStart } from '../../nanoseconds.ts'
import { storeAtOnce } from '../../store/store-records.ts'
import { createManifest, type DaysQuery, type Manifest } from './manifest.ts'
import { createWholeListings } from './whole-listings.ts'

const FIRST = 19_943
const DAYS = 20
const LISTING_AGE_MS = 250
let lake: TestLake
let manifest: Manifest
/** The clock of the manifest: whether an instrument is read often does not depend on the speed of the machine. */
let nowMs = 0

beforeAll(async () => {
  lake = await openTestLake()
  for (let day = FIRST; day < FIRST + DAYS; day += 1) await sealSome(day)
})
afterAll(() => lake.close())
beforeEach(() => void vi.spyOn(performance, 'now').mockImplementation(() => nowMs))
afterEach(() => void vi.restoreAllMocks())

async function sealSome(day: number): Promise<void> {
  await storeAtOnce(lake.database.pool, [
    { instrumentId: 1, trades: [someTrade(`${day}`, dayStart(day))], l2Events: [] },
  ])
  await lake.seal({ instrumentId: 1, day })
}

const queryFrom = (fromDay: number): DaysQuery => {
  return { channel: 'trade', instrumentIds: [1], fromDay, order: 'asc', filesMax: 4 }
}

async function readOften(times: number): Promise<void> {
  for (let read = 0; read < times; read += 1) await manifest.days(queryFrom(FIRST + (read % DAYS)))
}

/** Counts the queries of a pool, which still executes them. */
function countQueries(): { count: () => number; restore: () => void } {
  const { pool } = lake.database
  let count = 0
  const add = () => (count += 1)
  pool.on('acquire', add)
  return { count: () => count, restore: () => pool.off('acquire', add) }
}

test('an instrument that is read often needs few queries, and each day is found without a new listing', async () => {
  manifest = createManifest(lake.database.pool)
  await readOften(DAYS)
  const queries = countQueries()
  await readOften(100)
  expect(queries.count()).toBe(0)
  for (const rounds of [1, 2]) {
    nowMs += LISTING_AGE_MS
    await readOften(100)
    expect(queries.count()).toBe(rounds)
  }
  queries.restore()
  for (let day = FIRST; day < FIRST + DAYS; day += 1) {
    const { files, unknownFrom } = await manifest.days(queryFrom(day))
    const last = Math.min(day + 3, FIRST + DAYS)
    expect(files.map((file) => file.day)).toEqual(Array.from({ length: last - day }, (_value, at) => day + at))
    expect(unknownFrom).toBe(day + 4 > FIRST + DAYS ? undefined : day + 3)
  }
})

test('a new day, a new revision and a day that left PostgreSQL are visible within a quarter of a second', async () => {
  manifest = createManifest(lake.database.pool)
  await readOften(40)
  await sealSome(FIRST + DAYS)
  nowMs += LISTING_AGE_MS
  await readOften(40)
  const newest = async () => (await manifest.days(queryFrom(FIRST + DAYS))).files
  expect(await newest()).toMatchObject([{ day: FIRST + DAYS, revision: 1, isHotDropped: false }])

  await lake.database.pool.query('update sealed_file set hot_dropped_at = now() where day = $1', [FIRST + DAYS])
  nowMs += LISTING_AGE_MS
  await readOften(40)
  expect(await newest()).toMatchObject([{ revision: 1, isHotDropped: true }])

  // The number of current files stays the same.
  await lake.database.pool.query(
    `with old as (update sealed_file set superseded_at = now() where day = $1 returning *)
     insert into sealed_file (instrument_id, channel, day, revision, object_key, layout, row_count, bytes, sha256,
       tail_bytes, tail_sha256, ts_min, ts_max, sequence_min, sequence_max)
     select instrument_id, channel, day, revision + 1, object_key, layout, row_count, bytes, sha256,
       tail_bytes, tail_sha256, ts_min, ts_max, sequence_min, sequence_max from old`,
    [FIRST + DAYS],
  )
  nowMs += LISTING_AGE_MS
  await readOften(40)
  expect(await newest()).toMatchObject([{ revision: 2 }])
})

test('an instrument that is read seldom is not listed completely', async () => {
  const listings = createWholeListings(lake.database.pool, LISTING_AGE_MS)
  const series = { channel: 'trade', instrumentId: 1 } as const
  for (let read = 0; read < 7; read += 1) expect(await listings.filesOf(series)).toBeUndefined()
  expect(await listings.filesOf(series)).toHaveLength(DAYS + 1)
})
