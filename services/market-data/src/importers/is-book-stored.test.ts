import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestLake, type TestLake } from '../../test/lake/lake.fixture.ts'
import { someL2Event } from '../../test/records.fixture.ts'
import { dayStart } from '../nanoseconds.ts'
import { storeAtOnce } from '../store/store-records.ts'
import { isBookStored } from './is-book-stored.ts'

const DAY = 19_943
/** Ten seconds before midnight. */
const LAST_UPDATE = dayStart(DAY + 1) - 10_000_000_000n
const instrument = { venue: 'sim', symbol: 'BTC-USDT' }
let lake: TestLake

beforeAll(async () => {
  lake = await openTestLake()
  const l2Events = [someL2Event('41', LAST_UPDATE - 1n, { type: 'snapshot' }), someL2Event('42', LAST_UPDATE)]
  await storeAtOnce(lake.database.pool, [{ instrumentId: 1, trades: [], l2Events }])
})
afterAll(() => lake.close())

async function found(lastUpdateId: string, before: bigint, symbol = instrument.symbol): Promise<boolean> {
  const { pool, db } = lake.database
  const book = { ...instrument, symbol, lastUpdateId, before: String(before) }
  return isBookStored({ pool, db, lake: lake.deps.lake }, book)
}

test.each(['in PostgreSQL', 'only in the lake'])('the last update of a stored book is found %s', async (place) => {
  if (place !== 'in PostgreSQL') {
    await lake.seal({ instrumentId: 1, day: DAY, channel: 'l2_event', isDropped: true })
    const { rows } = await lake.database.pool.query('select count(*)::text as rows from l2_event')
    expect(rows).toEqual([{ rows: '0' }])
  }
  // The next recording begins after midnight, within a minute of the update.
  expect(await found('42', LAST_UPDATE + 20_000_000_000n)).toBe(true)
  expect(await found('43', LAST_UPDATE + 20_000_000_000n)).toBe(false)
  expect(await found('42', LAST_UPDATE + 70_000_000_000n)).toBe(false)
  expect(await found('42', LAST_UPDATE + 20_000_000_000n, 'ETH-USDT')).toBe(false)
})
