import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestLake, type TestLake } from '../../test/lake/lake.fixture.ts'
import { someL2Event } from '../../test/records.fixture.ts'
import { dayStart } from '../nanoseconds.ts'
import type { L2Record } from '../store/record.ts'
import { storeAtOnce } from '../store/store-records.ts'
import { readBook } from './read-book.ts'
import { createCheckpointWriter } from './write-checkpoints.ts'

const START = dayStart(19_943)
const INSTRUMENT = 1
const LEVELS = Array.from({ length: 300 }, (_value, index) => [String(1_000 - index), '1'] as const)

let lake: TestLake
beforeAll(async () => {
  lake = await openTestLake()
})
afterAll(() => lake.close())

const store = (l2Events: L2Record[]) =>
  storeAtOnce(lake.database.pool, [{ instrumentId: INSTRUMENT, trades: [], l2Events }])

const timeOf = (ms: number): bigint => START + BigInt(ms) * 1_000_000n

/** Fifty updates of an ask, from 20 to 25 seconds. */
function narrowUpdates(): L2Record[] {
  return Array.from({ length: 50 }, (_value, number) => {
    const asks = [['1001', String(number + 1)]] as const
    return someL2Event(`narrow-${number}`, timeOf(20_000 + number * 100), { type: 'update', bids: [], asks })
  })
}

/** A snapshot at 10 seconds and updates of 300 bids, each 50 ms, to 35 seconds. */
function wideEvents(): L2Record[] {
  return Array.from({ length: 500 }, (_value, number) => {
    const bids = [...LEVELS, ['1', String(number + 1)]] as const
    const asks = number === 0 ? ([['1002', '1']] as const) : []
    const type = number === 0 ? 'snapshot' : 'update'
    return someL2Event(`wide-${number}`, timeOf(10_000 + number * 50), { type, bids, asks })
  })
}

/** The sizes that the two sources change, at times from 18 to 35 seconds. */
async function sizes(): Promise<unknown[]> {
  const found: unknown[] = []
  for (let ms = 18_000; ms <= 35_000; ms += 500) {
    const { book } = await readBook(lake.deps, { instrumentId: INSTRUMENT, venue: 'sim' }, timeOf(ms))
    const { bids, asks } = book.top(1_000)
    found.push([ms, bids.at(-1), asks])
  }
  return found
}

test('the book has updates that waited also from checkpoints that were due while they did', async () => {
  // Imported first, so they have lower sequences than the book that they change.
  await store(narrowUpdates())
  await store(wideEvents())
  const withoutCheckpoints = await sizes()
  const write = createCheckpointWriter(lake.deps)
  while ((await write()) > 0);
  const { rows } = await lake.database.pool.query('select from book_checkpoint where through_ts > $1', [timeOf(26_000)])
  expect(rows.length).toBeGreaterThan(5)
  expect(await sizes()).toEqual(withoutCheckpoints)
  const asks = [
    ['1001', '50'],
    ['1002', '1'],
  ]
  expect(withoutCheckpoints.at(-1)).toEqual([35_000, ['1', '500'], asks])
})

test('a checkpoint of an earlier version, which does not list the updates that it awaits, is continued', async () => {
  const { pool } = lake.database
  await pool.query('delete from book_checkpoint')
  await pool.query('delete from book_position')
  const withoutCheckpoints = await sizes()
  const write = createCheckpointWriter(lake.deps)
  while ((await write()) > 0);
  const { rowCount } = await pool.query('update book_checkpoint set awaited = null where awaited is not null')
  expect(rowCount).toBeGreaterThan(5)
  expect(await sizes()).toEqual(withoutCheckpoints)
})
