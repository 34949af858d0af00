import { waitUntil } from '@tapeline/testing/wait-until'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestLake, type TestLake } from '../../../test/lake/lake.fixture.ts'
import { someTrade } from '../../../test/records.fixture.ts'
import { dayStart } from '../../nanoseconds.ts'
import { storeAtOnce } from '../../store/store-records.ts'
import { tradeChunk } from '../encoding/trade-chunk.ts'
import { writeSealedDay } from './write-sealed-day.ts'

const DAY = 19_943
const TODAY = DAY + 20
const BTC = 1

let lake: TestLake
beforeEach(async () => {
  lake = await openTestLake()
})
afterEach(() => lake.close())

async function hasWaitingWriter(): Promise<boolean> {
  const { rowCount } = await lake.database.pool.query(
    `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rowCount === 1
}

test('a past day is imported while a live connector stores records whenever the day is being encoded', async () => {
  const { encoder } = lake.deps.lake
  const { encodeDay } = encoder
  const live: Promise<unknown>[] = []
  encoder.encodeDay = async (day) => {
    let isStored = false
    const trades = [someTrade(`live-${live.length}`, dayStart(TODAY))]
    const store = () => storeAtOnce(lake.database.pool, [{ instrumentId: BTC, trades, l2Events: [] }])
    live.push(store().then(() => (isStored = true)))
    await waitUntil('the live record is stored or waits', async () => isStored || (await hasWaitingWriter()))
    return encodeDay(day)
  }
  const trades = ['1', '2', '3'].map((id) => someTrade(id, dayStart(DAY) + BigInt(id)))
  const records = { channel: 'trade', chunks: [tradeChunk(trades, DAY)] } as const
  const written = await writeSealedDay(lake.deps, { instrumentId: BTC, day: DAY, records })
  expect(written).toEqual({ outcome: 'written', added: 3 })
  await Promise.all(live)
  const { rows } = await lake.database.pool.query(`
    select (select last_sequence from channel where instrument_id = ${BTC} and name = 'trade') as last,
      (select array_agg(sequence order by sequence) from trade) as live, sequence_min as min, sequence_max as max
    from sealed_file where superseded_at is null`)
  expect(rows).toEqual([{ last: '5', live: ['1', '5'], min: '2', max: '4' }])
})
