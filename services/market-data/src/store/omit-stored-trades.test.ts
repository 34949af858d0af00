import { openTestDatabase, type TestDatabase } from '@tapeline/testing/test-database'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { someTrade } from '../../test/records.fixture.ts'
import { migrations } from '../migrations/all.ts'
import type { Tables } from '../tables.ts'
import { omitStoredTrades } from './omit-stored-trades.ts'
import { FLAGS, type TradeRecord } from './record.ts'
import { storeAtOnce } from './store-records.ts'

const TIME = 1_723_161_254_000_000_000n

let database: TestDatabase<Tables>
let client: pg.PoolClient

beforeAll(async () => {
  database = await openTestDatabase<Tables>(migrations)
  client = await database.pool.connect()
})
afterAll(async () => {
  client.release()
  await database.drop()
})

const missed = (id: number) => someTrade(String(id), TIME, { flags: FLAGS.late })
const aggregate = (firstId: number, lastId: number, time = TIME) =>
  someTrade(`a${lastId}`, time, { hasTradeId: false, conditions: [`aggregate:${firstId}-${lastId}`] })

async function idsOf(instrumentId: number, trades: TradeRecord[]): Promise<string[]> {
  const left = await omitStoredTrades(client, { instrumentId, trades, l2Events: [] })
  return left.trades.map(({ sourceId }) => sourceId)
}

test('missed trades are left out if a stored aggregate of the same instrument contains them', async () => {
  const trades = [aggregate(106, 108, TIME + 1_000_000n), someTrade('109', TIME)]
  await storeAtOnce(database.pool, [{ instrumentId: 1, trades, l2Events: [] }])
  const batch = [105, 106, 107, 108, 109, 110].map(missed)
  expect(await idsOf(1, batch)).toEqual(['105', '110'])
  expect(await idsOf(2, batch)).toHaveLength(batch.length)
})

test('or if an aggregate of the same batch does; the others are kept', async () => {
  const batch = [aggregate(206, 208), someTrade('207', TIME), missed(208), missed(209)]
  expect(await idsOf(1, batch)).toEqual(['a208', '207', '209'])
})

test('missed trades are left out if they are stored, although the venue reports a more precise time over REST', async () => {
  await storeAtOnce(database.pool, [{ instrumentId: 3, trades: [someTrade('301', TIME)], l2Events: [] }])
  const precise = (id: number) => someTrade(String(id), TIME + 900n, { flags: FLAGS.late })
  expect(await idsOf(3, [301, 302].map(precise))).toEqual(['302'])
  expect(await idsOf(4, [301, 302].map(precise))).toEqual(['301', '302'])
  expect(await idsOf(4, [someTrade('301', TIME), ...[301, 302].map(precise)])).toEqual(['301', '302'])
})
