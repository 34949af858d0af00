import { someUser } from '@tapeline/testing/actors'
import { openTestDatabase, type TestDatabase } from '@tapeline/testing/test-database'
import { waitUntil } from '@tapeline/testing/wait-until'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { someTrade } from '../../../test/records.fixture.ts'
import { openFeeds } from '../../../test/stream/subscriptions.fixture.ts'
import { createDeps, type Deps } from '../../deps.ts'
import { migrations } from '../../migrations/all.ts'
import { storeAtOnce } from '../../store/store-records.ts'
import type { Tables } from '../../tables.ts'
import { UNPACED } from '../read-up-to-now.ts'

const HOUR_NS = 3_600_000_000_000n
const NOW_NS = BigInt(Date.now()) * 1_000_000n
const START_NS = NOW_NS - 5n * HOUR_NS
const [ACTIVE, IDLE] = [2, 3]
const actor = someUser({ tier: 'pro' })
let database: TestDatabase<Tables>
let deps: Deps
/** Instruments of the statements that read bars or their trades. */
const readInstruments: number[] = []

beforeAll(async () => {
  database = await openTestDatabase<Tables>(migrations)
  deps = createDeps(recorded(database.pool), () => new Date(), 'a secret of at least 32 characters')
})
afterAll(() => database.drop())

function recorded(pool: pg.Pool): pg.Pool {
  return new Proxy(pool, {
    get(target, name) {
      if (name !== 'query') return Reflect.get(target, name, target)
      return (statement: pg.QueryConfig<unknown[]>) => {
        if (/bar_1m|from trade/.test(statement.text)) {
          const lists = (statement.values ?? []).filter((value) => Array.isArray(value))
          readInstruments.push(...lists.flat().filter((value) => value === ACTIVE || value === IDLE))
        }
        return target.query(statement)
      }
    },
  })
}

async function trade(instrumentId: number, sourceId: string, time: bigint): Promise<void> {
  await storeAtOnce(database.pool, [{ instrumentId, trades: [someTrade(sourceId, time)], l2Events: [] }])
}

test('an instrument without new trades is not read again', async () => {
  await trade(ACTIVE, 'a1', START_NS + HOUR_NS)
  await trade(IDLE, 'i1', START_NS + HOUR_NS)
  const { records, subscribe } = openFeeds(deps)
  const symbols = ['ETH-USDT', 'SOL-USDT']
  const place = { channel: 'bars.1m' as const, venues: ['sim'], symbols, start: String(START_NS) }
  const { subscription, sent } = await subscribe(actor, place)
  await subscription.readUpToNow({ ...UNPACED, hasDrained: async () => true })
  const bars = (symbol: string) => sent.flatMap(({ data = [] }) => data.filter((bar) => bar.symbol === symbol))
  expect(symbols.map((symbol) => bars(symbol).length)).toEqual([1, 1])
  expect(new Set(readInstruments)).toEqual(new Set([ACTIVE, IDLE]))
  readInstruments.length = 0
  await trade(ACTIVE, 'a2', NOW_NS)
  await records.compareWithStore()
  await waitUntil('the bar of the active one', () => bars('ETH-USDT').length >= 2)
  expect(new Set(readInstruments)).toEqual(new Set([ACTIVE]))
  await trade(IDLE, 'i2', NOW_NS)
  await records.compareWithStore()
  await waitUntil('the bar of the other', () => bars('SOL-USDT').length >= 2)
  subscription.end()
})
