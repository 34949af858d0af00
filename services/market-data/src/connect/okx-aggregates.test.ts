import { okxAggregate, startOkxVenue } from '@tapeline/testing/venues/okx-venue'
import type { Venue } from '@tapeline/testing/venues/venue'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openConnectorPath } from '../../test/connector.fixture.ts'
import { openTestLake } from '../../test/lake/lake.fixture.ts'
import { someTrade } from '../../test/records.fixture.ts'
import { dayStart } from '../nanoseconds.ts'
import { storeAtOnce } from '../store/store-records.ts'
import { closeFilledGaps, insertTradeGaps } from '../store/trade-gap-queries.ts'
import { createOkxFeed } from './feeds/okx-feed.ts'
import { findStoredEnd } from './start-venue.ts'

let path: Awaited<ReturnType<typeof openConnectorPath>>
const venues: Venue[] = []

beforeAll(async () => {
  path = await openConnectorPath()
})
afterAll(async () => {
  await path.close()
  for (const venue of venues) await venue.stop()
})

/** The ids of the venue that the stored trades contain, in order. */
async function storedIds(symbol: string): Promise<number[]> {
  const { rows } = await path.database.pool.query<Stored>(
    'select source_id, conditions from trade join instrument using (instrument_id) where symbol = $1',
    [symbol],
  )
  return rows.flatMap(idsOf).toSorted((one, other) => one - other)
}

type Stored = { source_id: string; conditions: string | null }

function idsOf({ source_id, conditions }: Stored): number[] {
  const [, first = source_id, last = source_id] = /^aggregate:(\d+)-(\d+)$/.exec(conditions ?? '') ?? []
  return Array.from({ length: Number(last) - Number(first) + 1 }, (_value, index) => Number(first) + index)
}

async function connect(venueSymbol: string) {
  const venue = await startOkxVenue({ symbols: [venueSymbol] })
  venues.push(venue)
  const open = () => path.connect(createOkxFeed(), venue.addresses, [venueSymbol])
  const session = await open()
  await waitUntil('a first trade is stored', async () => {
    venue.trade(venueSymbol)
    return (await storedIds(venueSymbol)).length > 0
  })
  const [first = 0] = await storedIds(venueSymbol)
  const ids = () => venue.markets.get(venueSymbol)?.trades.flatMap(({ id }) => (id < first ? [] : [id])) ?? []
  return {
    venue,
    session,
    open,
    sendAggregate: () => venue.send(okxAggregate([1, 2, 3].map(() => venue.trade(venueSymbol, false)))),
    everyIdIsStored: () =>
      waitUntil('every id is stored', async () => {
        const stored = new Set(await storedIds(venueSymbol))
        return ids().every((id) => stored.has(id))
      }),
    ids,
  }
}

test('the fills of a stored aggregate are not stored again after a restart', async () => {
  const { venue, session, open, ...okx } = await connect('BTC-USDT')
  okx.sendAggregate()
  await okx.everyIdIsStored()
  await session.stop()
  for (let count = 0; count < 2; count += 1) venue.trade('BTC-USDT', false)
  await open()
  await okx.everyIdIsStored()
  expect(await storedIds('BTC-USDT')).toEqual(okx.ids())
})

test('nor if the next session starts before the last aggregates are stored', async () => {
  const { venue, session, open, ...okx } = await connect('ETH-USDT')
  await okx.everyIdIsStored()
  okx.sendAggregate()
  okx.sendAggregate()
  const messages = session.report().messages
  await waitUntil('the session received them', () => session.report().messages > messages)
  await session.stop()
  venue.trade('ETH-USDT', false)
  await open()
  await okx.everyIdIsStored()
  expect(await storedIds('ETH-USDT')).toEqual(okx.ids())
})

test('an aggregate fills a gap with all of its ids, the ends of another one with some of them', async () => {
  const { pool } = path.database
  const [from, to] = ['1723161254000000000', '1723161255000000000']
  const gap = { missing: 2, fromTs: from, toTs: to }
  await insertTradeGaps(pool, 1, [
    { ...gap, fromId: 106, toId: 107 },
    { ...gap, fromId: 108, toId: 109 },
  ])
  const trades = [someTrade('a108', from, { hasTradeId: false, conditions: ['aggregate:106-108'] })]
  await storeAtOnce(pool, [{ instrumentId: 1, trades, l2Events: [] }])
  const openGaps = async () => {
    await closeFilledGaps(pool, 1, { from, to })
    const { rows } = await pool.query('select from_id from trade_gap where instrument_id = 1 and filled_at is null')
    return rows
  }
  expect(await openGaps()).toEqual([{ from_id: '108' }])
  await storeAtOnce(pool, [{ instrumentId: 1, trades: [someTrade('109', to)], l2Events: [] }])
  expect(await openGaps()).toEqual([])
})

test('the id to continue after is the highest one of the latest trades, also in a sealed day', async () => {
  const DAY = 20_532
  const lake = await openTestLake(() => new Date(Number(dayStart(DAY + 2) / 1_000_000n) + 1_800_000))
  const at = dayStart(DAY) + 5n
  const aggregate = { hasTradeId: false, conditions: ['aggregate:106-108'] }
  const trades = [someTrade('101', at - 1n), someTrade('a108', at, aggregate)]
  await storeAtOnce(lake.database.pool, [{ instrumentId: 1, trades, l2Events: [] }])
  const expectEnd = async () =>
    expect((await findStoredEnd(lake.deps, 1)).lastTrade).toEqual({ id: 108, tsEvent: String(at) })
  await expectEnd()
  // Requested later, and at the same millisecond.
  await storeAtOnce(lake.database.pool, [{ instrumentId: 1, trades: [someTrade('105', at)], l2Events: [] }])
  await expectEnd()
  const [other, after] = [2, dayStart(DAY) + 9n]
  await storeAtOnce(lake.database.pool, [
    { instrumentId: other, trades: [someTrade('101', after - 1n), someTrade('a108', after, aggregate)], l2Events: [] },
  ])
  await lake.seal({ instrumentId: other, day: DAY, isDropped: true })
  expect((await findStoredEnd(lake.deps, other)).lastTrade).toEqual({ id: 108, tsEvent: String(after) })
  await lake.close()
})
