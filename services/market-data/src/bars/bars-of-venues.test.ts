import type { BarPage } from '@tapeline/contracts/market-data/bars'
import { someUser } from '@tapeline/testing/actors'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { afterAll, expect, test, vi } from 'vitest'
import { someTrade } from '../../test/records.fixture.ts'
import { createDeps } from '../deps.ts'
import { migrations } from '../migrations/all.ts'
import { parseTime } from '../nanoseconds.ts'
import { storeAtOnce, storeRecords } from '../store/store-records.ts'
import type { Tables } from '../tables.ts'
import { listBars } from './list-bars.ts'

const DAY = '2026-03-20'
const [SOL, SPY] = [3, 4]
const pro = someUser({ tier: 'pro' })
let now = new Date()
const { pool, drop } = await openTestDatabase<Tables>(migrations)
const deps = createDeps(pool, () => now, 'a secret of at least 32 characters')
afterAll(drop)

const setNow = (clock: string) => (now = new Date(`${DAY}T${clock}Z`))
const timeOf = (clock: string) => parseTime(`${DAY}T${clock}Z`) ?? 0n

/** As the consumer stores trades; `isOrdered`: later trades of this instrument have later times. */
async function arrive(instrumentId: number, clock: string, isOrdered = false) {
  const batches = [{ instrumentId, trades: [someTrade(clock, timeOf(clock))], l2Events: [] }]
  await storeAtOnce(pool, batches, (client) => storeRecords(client, batches, { isOrdered }))
}

async function bars(body: object): Promise<BarPage> {
  return JSON.parse((await listBars(deps, pro, body, 'x')).json)
}

const shown = ({ data }: BarPage) =>
  data.map(({ symbol, ts_start, count, finality }) => [symbol, ts_start.slice(11, 19), count, finality])

test('a minute of a connected venue forms for a few seconds after its end, so that a polling client has its last trades', async () => {
  await arrive(SOL, '12:00:50')
  setNow('12:01:00.050')
  const first = await bars({ symbols: ['SOL-USDT'] })
  expect(shown(first)).toEqual([['SOL-USDT', '12:00:00', 1, 'forming']])
  await arrive(SOL, '12:00:59.9')
  setNow('12:01:05')
  const second = await bars({ cursor: first.next_cursor })
  expect(shown(second)).toEqual([['SOL-USDT', '12:00:00', 2, 'revisable']])
  expect(shown(await bars({ cursor: second.next_cursor }))).toEqual([])
})

test('a client that polls a connected venue together with a faster feed misses none of its bars', async () => {
  await arrive(SPY, '12:10:50', true)
  await arrive(SPY, '12:11:00', true)
  setNow('12:11:00.050')
  const start = `${DAY}T12:10:00Z`
  const first = await vi.waitFor(async () => {
    const page = await bars({ symbols: ['SOL-USDT', 'SPY-USD'], start })
    expect(shown(page)[0]).toEqual(['SPY-USD', '12:10:00', 1, 'final'])
    return page
  }, 60_000)
  await arrive(SOL, '12:10:59.9')
  setNow('12:11:05')
  expect(shown(await bars({ cursor: first.next_cursor })).slice(0, 2)).toEqual([
    ['SOL-USDT', '12:10:00', 1, 'revisable'],
    ['SPY-USD', '12:10:00', 1, 'final'],
  ])
})

test('tick bars include a trade that arrives after a later one', async () => {
  const start = `${DAY}T12:20:00Z`
  await arrive(SOL, '12:20:10.5')
  setNow('12:20:10.600')
  const first = await bars({ symbols: ['SOL-USDT'], ticks: 2, start })
  expect(shown(first)).toEqual([])
  await arrive(SOL, '12:20:10.3')
  setNow('12:20:15.600')
  const { data } = await bars({ cursor: first.next_cursor })
  expect(data).toMatchObject([{ count: 2, ts_start: `${DAY}T12:20:10.300000000Z` }])
})
