import { dataCorrected, daySealed } from '@tapeline/contracts/market-data/events'
import type { EventEnvelope } from '@tapeline/contracts/event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Value } from 'typebox/value'
import { openTestLake, type TestLake } from '../../../test/lake/lake.fixture.ts'
import { someTrade } from '../../../test/records.fixture.ts'
import { dayStart } from '../../nanoseconds.ts'
import { storeAtOnce } from '../../store/store-records.ts'
import { tradeChunk } from '../encoding/trade-chunk.ts'
import { resealDay } from '../reseal-day.ts'
import { dropSealedDays } from './drop-sealed-days.ts'
import { sealDay } from './seal-day.ts'
import { storeWithLake } from './store-late-data.ts'
import { writeSealedDay } from './write-sealed-day.ts'

const DAY = 19_943
const BTC = { instrumentId: 1, channel: 'trade', day: DAY } as const

let lake: TestLake
beforeEach(async () => {
  lake = await openTestLake()
})
afterEach(() => lake.close())

const tradesOf = (...names: number[]) => names.map((name) => someTrade(`${name}`, dayStart(DAY) + BigInt(name)))
const batch = (...names: number[]) => ({ instrumentId: 1, trades: tradesOf(...names), l2Events: [] })

/** Type, revision and row counts of the events since the last call. */
async function announced(): Promise<unknown[]> {
  const { rows } = await lake.database.pool.query<{ envelope: EventEnvelope }>(
    'with sent as (delete from outbox returning position, envelope) select envelope from sent order by position',
  )
  const definitions = new Map([daySealed, dataCorrected].map((definition) => [definition.type, definition]))
  return rows.map(({ envelope: { type, subject, data } }) => {
    const schema = definitions.get(type)?.data ?? {}
    expect([...Value.Errors(schema, data)]).toEqual([])
    expect(subject).toBe('sim:BTC-USDT:trades')
    const { revision, rows: count, rows_before, rows_after } = data as Record<string, number>
    return [type, revision, count ?? [rows_before, rows_after]]
  })
}

const SEALED = 'market-data.day-sealed.v1'
const CORRECTED = 'market-data.data-corrected.v1'

test('a seal is announced, and a revision with other rows is announced as a correction', async () => {
  await storeAtOnce(lake.database.pool, [batch(1, 2, 3)])
  expect(await announced()).toEqual([])
  await sealDay(lake.deps, BTC)
  await sealDay(lake.deps, BTC)
  expect(await announced()).toEqual([[SEALED, 1, 3]])
  await resealDay(lake.deps, BTC)
  expect(await announced()).toEqual([[SEALED, 2, 3]])
  await dropSealedDays(lake.deps, 0)
  await storeWithLake(lake.deps, [batch(2, 4)])
  expect(await announced()).toEqual([])
  await sealDay(lake.deps, BTC)
  expect(await announced()).toEqual([
    [SEALED, 3, 4],
    [CORRECTED, 3, [3, 4]],
  ])
})

test('the same rows in other bytes, as from a newer encoder, are not announced as a correction', async () => {
  await storeAtOnce(lake.database.pool, [batch(1, 2, 3)])
  await sealDay(lake.deps, BTC)
  await lake.database.pool.query(`update sealed_file set sha256 = repeat('0', 64)`)
  await resealDay(lake.deps, BTC)
  expect(await announced()).toEqual([
    [SEALED, 1, 3],
    [SEALED, 2, 3],
  ])
})

test('a day that an import writes straight into the lake is announced like any other', async () => {
  const write = (...names: number[]) => {
    const chunk = tradeChunk(tradesOf(...names), DAY)
    return writeSealedDay(lake.deps, { instrumentId: 1, day: DAY, records: { channel: 'trade', chunks: [chunk] } })
  }
  await write(1, 2)
  await write(2)
  expect(await announced()).toEqual([[SEALED, 1, 2]])
  await write(2, 3, 4)
  expect(await announced()).toEqual([
    [SEALED, 2, 4],
    [CORRECTED, 2, [2, 4]],
  ])
})

test('rows that arrive while a day is being sealed prevent its file and its event', async () => {
  await storeAtOnce(lake.database.pool, [batch(1, 2)])
  const { putIfAbsent } = lake.deps.lake.store
  lake.deps.lake.store.putIfAbsent = async (key, bytes) => {
    await storeAtOnce(lake.database.pool, [batch(3)])
    return putIfAbsent(key, bytes)
  }
  expect(await sealDay(lake.deps, BTC)).toBe('changed')
  expect(await announced()).toEqual([])
})
