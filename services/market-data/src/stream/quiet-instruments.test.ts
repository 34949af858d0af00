import { someUser } from '@tapeline/testing/actors'
import { openTestDatabase, type TestDatabase } from '@tapeline/testing/test-database'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { someL2Event, someTrade } from '../../test/records.fixture.ts'
import { openFeeds } from '../../test/stream/subscriptions.fixture.ts'
import { createDeps, type Deps } from '../deps.ts'
import { migrations } from '../migrations/all.ts'
import { storeAtOnce } from '../store/store-records.ts'
import type { Tables } from '../tables.ts'
import { UNPACED } from './read-up-to-now.ts'

const HOUR_MS = 3_600_000
const START_MS = Date.now()
const symbols = ['BTC-USDT', 'ETH-USDT']
const actor = someUser({ tier: 'free' })
const pace = { ...UNPACED, hasDrained: async () => true }
let database: TestDatabase<Tables>
let deps: Deps
let nowMs = START_MS

beforeAll(async () => {
  database = await openTestDatabase<Tables>(migrations)
  deps = createDeps(database.pool, () => new Date(nowMs), 'a secret of at least 32 characters')
  const time = BigInt(START_MS - HOUR_MS) * 1_000_000n
  const l2Events = [someL2Event('book', time, { type: 'snapshot' })]
  await storeAtOnce(database.pool, [{ instrumentId: 1, trades: [someTrade('t', time)], l2Events }])
})
afterAll(() => database.drop())

test.each(['trades', 'l2events', 'bbo', 'book.10', 'bars.1m'] as const)(
  'a stream of %s whose instruments were quiet for days continues from its cursor without history in the plan',
  async (channel) => {
    nowMs = START_MS
    const { subscribe } = openFeeds(deps)
    const { subscription } = await subscribe(actor, { channel, venues: ['sim'], symbols })
    await subscription.readUpToNow(pace)
    nowMs += 50 * HOUR_MS
    const again = await waitUntil('it continues', () => subscribe(actor, { channel, cursor: subscription.cursor() }))
    await again.subscription.readUpToNow(pace)
    expect(again.subscription.isLive).toBe(true)
    expect(again.sent.flatMap(({ data = [] }) => data)).toEqual([])
    for (const one of [subscription, again.subscription]) one.end()
  },
)
