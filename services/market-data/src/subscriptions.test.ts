import { newEvent } from '@tapeline/contracts/event'
import { recordsIngested } from '@tapeline/contracts/market-data/events'
import { deliverTwice } from '@tapeline/testing/kafka/deliver-twice'
import { openTestDatabase, type TestDatabase } from '@tapeline/testing/test-database'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDeps, type Deps } from './deps.ts'
import { migrations } from './migrations/all.ts'
import { faultOfIngested, type Ingested } from './store/store-ingested.ts'
import { subscriptions } from './subscriptions.ts'
import type { Tables } from './tables.ts'

let database: TestDatabase<Tables>
let deps: Deps

beforeAll(async () => {
  database = await openTestDatabase<Tables>(migrations)
  deps = createDeps(database.pool, () => new Date(), 'a secret of at least 32 characters')
})
afterAll(() => database.drop())

const data: Ingested = {
  venue: 'sim',
  symbol: 'BTC-USDT',
  trades: [
    {
      source_id: '17',
      ts_event: '1723161254087896568',
      ts_recv: '1723161254087996568',
      price: '61837.6300',
      size: '0.5',
      side: 'sell',
      side_source: 'venue',
      trade_id: '17',
    },
  ],
  l2_events: [
    {
      source_id: '9',
      ts_event: '1723161255000000001',
      ts_recv: '1723161255000000002',
      type: 'snapshot',
      bids: [['1.50', '2']],
      asks: [['2', '3.0']],
      venue_first_id: null,
      venue_last_id: '9',
      venue_prev_id: null,
    },
  ],
}

function event(content: Ingested) {
  const actor = { kind: 'service', service: 'market-data' } as const
  return newEvent(recordsIngested, {
    id: crypto.randomUUID(),
    time: new Date(),
    subject: 'sim:BTC-USDT',
    account: null,
    actor,
    data: content,
  })
}

test('records that are delivered twice are stored once, and say up to when they are complete', async () => {
  await deliverTwice(deps.db, subscriptions(deps), event(data))
  const { rows: trades } = await database.pool.query('select sequence, source_id, price, size, side from trade')
  expect(trades).toEqual([{ sequence: '1', source_id: '17', price: '61837.63', size: '0.5', side: 's' }])
  const { rows: books } = await database.pool.query('select sequence, bids, asks, book_epoch from l2_event')
  expect(books).toEqual([{ sequence: '1', bids: '[["1.5","2"]]', asks: '[["2","3"]]', book_epoch: 1 }])
  const completeThrough = await waitUntil('the instrument is read anew', async () => {
    const [instrument] = await deps.instruments.list()
    return instrument?.channels.trade.completeThrough
  })
  expect(completeThrough).toBe('1723161255000000001')
})

test('records of an instrument that nobody knows are refused, not stored somewhere', async () => {
  await expect(deliverTwice(deps.db, subscriptions(deps), event({ ...data, symbol: 'DOGE-USDT' }))).rejects.toThrow(
    'there is no instrument sim:DOGE-USDT',
  )
})

test.each([
  [{ trade_id: '18' }, 'a trade id differs from the source id'],
  [{ side_source: 'guess' }, 'an unknown side_source'],
  [{ ts_event: '17231612540878965680' }, 'a time after 2262'],
])('%j is a fault', (fields, fault) => {
  const [trade] = data.trades
  if (trade === undefined) throw new Error('no trade')
  expect(faultOfIngested({ ...data, trades: [{ ...trade, ...fields }] })).toBe(fault)
  expect(faultOfIngested(data)).toBeUndefined()
})
