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

const START_NS = BigInt(Date.now() - 3_600_000) * 1_000_000n
const PLACE = { venues: ['sim'], start: String(START_NS) }
const TRADES = 10
const actor = someUser({ tier: 'pro' })
let database: TestDatabase<Tables>
let deps: Deps
let feeds: ReturnType<typeof openFeeds>

beforeAll(async () => {
  database = await openTestDatabase<Tables>(migrations)
  deps = createDeps(database.pool, () => new Date(), 'a secret of at least 32 characters')
  feeds = openFeeds(deps)
})
afterAll(() => database.drop())

test('a record that is stored late while a client waits for its turn to read the store is sent once', async () => {
  const trades = Array.from({ length: TRADES }, (_value, index) =>
    someTrade(`t${index}`, START_NS + BigInt(index * 10)),
  )
  await storeAtOnce(database.pool, [{ instrumentId: 1, trades, l2Events: [] }])
  const { subscription, sent } = await feeds.subscribe(actor, { ...PLACE, channel: 'trades', symbols: ['BTC-USDT'] })
  const late = someTrade('late', START_NS + 5n)
  let turns = 0
  await subscription.readUpToNow({
    hasDrained: async () => true,
    onPage: () => undefined,
    async inTurn(read) {
      turns += 1
      if (turns === 1) {
        await storeAtOnce(database.pool, [{ instrumentId: 1, trades: [late], l2Events: [] }])
        const feed = await feeds.records.join('trade', await instrument(), { onBlock() {}, onLate() {} })
        await feeds.records.compareWithStore()
        await waitUntil('it is announced', () => feed.lastSequence === TRADES + 1)
      }
      return read()
    },
  })
  expect(subscription.isLive).toBe(true)
  const sequences = sent.flatMap(({ data = [] }) => data.map(({ sequence }) => Number(sequence)))
  expect(sequences).toEqual([1, TRADES + 1, ...Array.from({ length: TRADES - 1 }, (_value, index) => index + 2)])
  subscription.end()
})

test.each(['trades', 'book.10', 'bbo'] as const)('%s reads stored records only in its turns', async (channel) => {
  const l2Events = Array.from({ length: TRADES }, (_value, index) => {
    return someL2Event(`e${index}`, START_NS + BigInt(index), index === 0 ? { type: 'snapshot' } : {})
  })
  await storeAtOnce(database.pool, [{ instrumentId: 2, trades: [someTrade('t', START_NS)], l2Events }])
  const { subscription, sent } = await feeds.subscribe(actor, { ...PLACE, channel, symbols: ['ETH-USDT'] })
  let turns = 0
  let isInTurn = false
  let outside = 0
  const onAcquire = () => void (outside += isInTurn ? 0 : 1)
  database.pool.on('acquire', onAcquire)
  await subscription.readUpToNow({
    hasDrained: async () => true,
    onPage: () => undefined,
    async inTurn(read) {
      turns += 1
      isInTurn = true
      return read().finally(() => (isInTurn = false))
    },
  })
  database.pool.off('acquire', onAcquire)
  subscription.end()
  expect(sent.length).toBeGreaterThan(0)
  expect(turns).toBeGreaterThan(0)
  expect(outside).toBe(0)
})

async function instrument() {
  const found = (await deps.instruments.list()).find(({ instrumentId }) => instrumentId === 1)
  if (found === undefined) throw new Error('BTC-USDT is not registered')
  return found
}
