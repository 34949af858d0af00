import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestLake, type TestLake } from '../../test/lake/lake.fixture.ts'
import { someL2Event } from '../../test/records.fixture.ts'
import { dayStart } from '../nanoseconds.ts'
import { storeAtOnce } from '../store/store-records.ts'
import { readBook } from './read-book.ts'
import { createCheckpointWriter } from './write-checkpoints.ts'

const START_NS = dayStart(19_943)
const STEP_NS = 10_000_000n
/** More than a book without a checkpoint is rebuilt from. */
const EVENTS = 12_500
const WITHOUT_SNAPSHOT = 1
const COMPLETE = 2

let lake: TestLake
beforeAll(async () => {
  lake = await openTestLake()
})
afterAll(() => lake.close())

/** Updates of one bid, whose size is their number; one of them is a snapshot. */
async function storeBook(instrumentId: number, snapshotAt: number, [from, until]: [number, number]): Promise<void> {
  const l2Events = Array.from({ length: until - from }, (_value, index) => {
    const number = from + index
    const type = number === snapshotAt ? 'snapshot' : 'update'
    return someL2Event(String(number), START_NS + BigInt(number) * STEP_NS, {
      type,
      bids: [['10', String(number + 1)]],
      asks: [],
    })
  })
  await storeAtOnce(lake.database.pool, [{ instrumentId, trades: [], l2Events }])
}

async function bidAt(instrumentId: number, number: number): Promise<unknown> {
  const { book } = await readBook(lake.deps, { instrumentId, venue: 'sim' }, START_NS + BigInt(number) * STEP_NS)
  return [book.status(), book.best().bid?.[1]]
}

test('a book whose snapshot is missing is unknown until its next snapshot and keeps no other book from checkpoints', async () => {
  await storeBook(WITHOUT_SNAPSHOT, EVENTS, [0, EVENTS])
  await storeBook(COMPLETE, 0, [0, EVENTS])
  const write = createCheckpointWriter(lake.deps)
  while ((await write()) > 0);
  expect(await bidAt(COMPLETE, EVENTS)).toEqual(['known', String(EVENTS)])
  expect(await bidAt(WITHOUT_SNAPSHOT, EVENTS - 1)).toEqual(['empty', undefined])
  await storeBook(WITHOUT_SNAPSHOT, EVENTS, [EVENTS, 2 * EVENTS])
  while ((await write()) > 0);
  expect(await bidAt(WITHOUT_SNAPSHOT, EVENTS - 1)).toEqual(['empty', undefined])
  expect(await bidAt(WITHOUT_SNAPSHOT, EVENTS)).toEqual(['known', String(EVENTS + 1)])
  expect(await bidAt(WITHOUT_SNAPSHOT, 2 * EVENTS)).toEqual(['known', String(2 * EVENTS)])
}, 120_000)
