import { newEvent } from '@tapeline/contracts/event'
import { recordsIngested } from '@tapeline/contracts/market-data/events'
import { isTransient } from '@tapeline/events/consumer/is-transient'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestLake, type TestLake } from '../../test/lake/lake.fixture.ts'
import { someTrade } from '../../test/records.fixture.ts'
import type { Deps } from '../deps.ts'
import { dropSealedDays } from '../lake/sealing/drop-sealed-days.ts'
import { dayStart } from '../nanoseconds.ts'
import { storeIngested } from './store-ingested.ts'
import { storeAtOnce } from './store-records.ts'

const DAY = 19_943
const [BTC, ETH] = [1, 2]

let lake: TestLake
beforeEach(async () => {
  lake = await openTestLake()
})
afterEach(() => lake.close())

const store = (instrumentId: number) =>
  storeAtOnce(lake.database.pool, [{ instrumentId, trades: [someTrade('first', dayStart(DAY))], l2Events: [] }])

function ingestLateTrade(deps: Deps): Promise<void> {
  const trade = {
    source_id: 'late',
    trade_id: 'late',
    ts_event: String(dayStart(DAY) + 1n),
    ts_recv: String(dayStart(DAY) + 1n),
    price: '10',
    size: '1',
    side: 'buy' as const,
    side_source: 'venue',
  }
  const event = newEvent(recordsIngested, {
    id: crypto.randomUUID(),
    time: new Date(),
    subject: 'sim:BTC-USDT',
    account: null,
    actor: { kind: 'service', service: 'market-data' },
    data: { venue: 'sim', symbol: 'BTC-USDT', trades: [trade], l2_events: [] },
  })
  return deps.db.transaction().execute((trx) => storeIngested(deps, trx, [event]))
}

/** `clientOf` is called between the preparation of days and the storing. */
const droppingBeforeStore = (): Deps => ({
  ...lake.deps,
  clientOf: async (trx) => {
    expect(await dropSealedDays(lake.deps, 0)).toBe(1)
    return lake.deps.clientOf(trx)
  },
})

async function sequencesOfBtc(): Promise<unknown[]> {
  const { rows } = await lake.database.pool.query<{ sequence: string }>(
    `select sequence from trade where instrument_id = ${BTC} order by sequence`,
  )
  return rows.map(({ sequence }) => sequence)
}

test('a record of a day whose rows are deleted from PostgreSQL while it is stored is stored by a repetition', async () => {
  await store(BTC)
  await store(ETH)
  await lake.seal({ instrumentId: BTC, day: DAY })
  const failed = await ingestLateTrade(droppingBeforeStore()).catch((error: unknown) => error)
  expect([isTransient(failed), failed]).toEqual([true, expect.objectContaining({ name: 'SealedDayChanged' })])
  await ingestLateTrade(lake.deps)
  expect(await sequencesOfBtc()).toEqual(['1', '2'])
})

test('a record of a day whose partition is dropped while it is stored is stored by a repetition', async () => {
  await store(ETH)
  await lake.seal({ instrumentId: ETH, day: DAY })
  const failed = await ingestLateTrade(droppingBeforeStore()).catch((error: unknown) => error)
  expect([isTransient(failed), failed]).toEqual([true, expect.any(Error)])
  await ingestLateTrade(lake.deps)
  expect(await sequencesOfBtc()).toEqual(['1'])
})
