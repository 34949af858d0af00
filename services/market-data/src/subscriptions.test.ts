import { newEvent } from '@tapeline/contracts/event'
import { recordsIngested, venueRecordsIngested } from '@tapeline/contracts/market-data/events'
import { deliverTwice } from '@tapeline/testing/kafka/deliver-twice'
import { openTestDatabase, type TestDatabase } from '@tapeline/testing/test-database'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDeps, type Deps } from './deps.ts'
import { migrations } from './migrations/all.ts'
import { registerInstrument } from './instruments/register-instrument.ts'
import { faultOfIngested, type Ingested, storeVenueIngested, type VenueIngested } from './store/store-ingested.ts'
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

test('records that are delivered twice are stored once, and the time up to which they are complete is stored', async () => {
  await deliverTwice(deps.db, subscriptions(deps), event(data))
  const { rows: trades } = await database.pool.query('select sequence, source_id, price, size, side from trade')
  expect(trades).toEqual([{ sequence: '1', source_id: '17', price: '61837.63', size: '0.5', side: 's' }])
  const { rows: books } = await database.pool.query('select sequence, bids, asks, book_epoch from l2_event')
  expect(books).toEqual([{ sequence: '1', bids: '[["1.5","2"]]', asks: '[["2","3"]]', book_epoch: 1 }])
  const completeThrough = await waitUntil('the instrument is read again', async () => {
    const [instrument] = await deps.instruments.list()
    return instrument?.channels.trade.completeThrough
  })
  expect(completeThrough).toBe('1723161255000000001')
})

test('records of an unknown instrument are rejected and not stored', async () => {
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

test('batches of a venue keep flags, gaps and depth, also when other batches are stored with them', async () => {
  const kraken = { venue: 'kraken', symbol: 'BTC-USD' }
  await registerInstrument(deps.db, {
    ...kraken,
    venueSymbol: 'BTC/USD',
    base: 'BTC',
    quote: 'USD',
    sizeUnit: 'base',
    kind: 'spot',
    tsEventPrecision: 'us',
  })
  const batches = [1, 2, 3].map((position) => venueEvent({ ...kraken, ...venueRecords(position) }))
  await deps.db.transaction().execute(async (trx) => {
    for (const batch of batches) await storeVenueIngested(deps, trx, [batch])
  })
  await deliverTwice(deps.db, subscriptions(deps), venueEvent({ ...kraken, ...venueRecords(2) }))
  const { rows } = await database.pool.query(
    `select l.sequence, l.type, l.flags, l.depth_limit, l.gap_reason, l.gap_from_ts, c.complete_through
     from l2_event l join channel c on c.instrument_id = l.instrument_id and c.name = 'l2_event'
     join instrument i on i.instrument_id = l.instrument_id where venue = 'kraken' order by l.sequence`,
  )
  expect(rows).toEqual(
    [1, 2, 3].flatMap((position) => [
      {
        sequence: String(2 * position - 1),
        type: 's',
        flags: 1,
        depth_limit: 1000,
        gap_reason: null,
        gap_from_ts: null,
        complete_through: null,
      },
      {
        sequence: String(2 * position),
        type: 'g',
        flags: 1,
        depth_limit: null,
        gap_reason: 'connection_lost',
        gap_from_ts: `172316125500000000${position}`,
        complete_through: null,
      },
    ]),
  )
})

function venueRecords(position: number): Pick<VenueIngested, 'trades' | 'l2_events'> {
  const [snapshot] = data.l2_events
  if (snapshot === undefined) throw new Error('no snapshot')
  const time = `172316125500000000${position}`
  const common = { ...snapshot, ts_event: time, ts_recv: time, flags: 1 }
  return {
    trades: [],
    l2_events: [
      { ...common, source_id: `s${position}`, depth_limit: 1000, gap: null },
      {
        ...common,
        source_id: `g${position}`,
        type: 'gap',
        bids: [],
        asks: [],
        depth_limit: null,
        gap: { reason: 'connection_lost', from_ts: time },
      },
    ],
  }
}

function venueEvent(content: VenueIngested) {
  const actor = { kind: 'service', service: 'market-data' } as const
  const subject = `${content.venue}:${content.symbol}`
  return newEvent(venueRecordsIngested, {
    id: crypto.randomUUID(),
    time: new Date(),
    subject,
    account: null,
    actor,
    data: content,
  })
}
