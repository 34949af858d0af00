import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TradePage } from '@tapeline/contracts/market-data/http'
import { someUser } from '@tapeline/testing/actors'
import { seededRandom } from '@tapeline/testing/seeded-random'
import { openTestDatabase, type TestDatabase } from '@tapeline/testing/test-database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDeps, type Deps } from '../src/deps.ts'
import { createLake } from '../src/lake/lake.ts'
import { folderStore } from '@tapeline/objects/folder-store'
import type { ObjectStore } from '@tapeline/objects/object-store'
import { migrations } from '../src/migrations/all.ts'
import { dayStart, formatRfc3339 } from '../src/nanoseconds.ts'
import { answerList } from '../src/records/answer-list.ts'
import { createFairQueue } from '../src/records/fair-queue.ts'
import type { Tables } from '../src/tables.ts'
import { FIRST_DAY, LAKE_INSTRUMENT, SECONDS_PER_DAY, tradeSlices } from './busy-market.ts'
import { fillLake, firstDays } from './fill-lake.ts'
import { registerDays } from './fill-queries.ts'

const SIZES = [1_000_000, 20_000_000] as const
const PAGES = 40
const PAGE_ROWS = 1_000
const GROWTH_MAX = 1.3
const FILL_MS = 1_200_000
const actor = someUser({ tier: 'pro' })
let database: TestDatabase<Tables>
let folder: string
let deps: Deps
let read = { calls: 0, bytes: 0 }

beforeAll(async () => {
  database = await openTestDatabase<Tables>(migrations)
  folder = await mkdtemp(join(tmpdir(), 'tapeline-flat-'))
  const store = counting(folderStore(folder))
  deps = createDeps(database.pool, () => new Date(), 'a secret of at least 32 characters', { store })
})
afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true })
})

function counting(store: ObjectStore): ObjectStore {
  return {
    ...store,
    getRange(key, from, to) {
      read = { calls: read.calls + 1, bytes: read.bytes + to - from }
      return store.getRange(key, from, to)
    },
  }
}

/** A lake with an empty cache. */
async function coldPage(start: bigint): Promise<TradePage> {
  const fresh = { ...deps, lake: createLake(database.pool, deps.lake.store, 64_000_000) }
  const queue = createFairQueue({ runningMax: 1, waitingMax: 1, waitingOfAccountMax: 1 })
  const body = { venues: ['sim'], symbols: ['BTC-USDT'], start: String(start), limit: PAGE_ROWS }
  const call = { channel: 'trade', body, accept: undefined, requestId: 'x', path: '/api/v1/trades/list' } as const
  const { body: json } = await answerList({ deps: fresh, queue }, actor, call)
  if (!Buffer.isBuffer(json)) throw new TypeError('a page is not a stream')
  return JSON.parse(json.toString())
}

/** The reads from the store for a page at a random place within this many days. */
async function costOfPages(days: number): Promise<{ calls: number; bytes: number }> {
  const random = seededRandom(11)
  read = { calls: 0, bytes: 0 }
  for (let page = 0; page < PAGES; page += 1) {
    const second = Math.floor(random() * (days * SECONDS_PER_DAY - 2 * PAGE_ROWS))
    const { data } = await coldPage(dayStart(FIRST_DAY) + BigInt(second) * 1_000_000_000n)
    expect(data).toHaveLength(PAGE_ROWS)
  }
  return { calls: read.calls / PAGES, bytes: read.bytes / PAGES }
}

test(
  'a page at a random place reads as much of twenty million trades as of one million, and its rows are right',
  async () => {
    const filled = await fillLake({ folder, rows: SIZES[1], log: () => {} })
    const small = firstDays(filled, SIZES[0])
    await registerDays(database.pool, LAKE_INSTRUMENT, small.days)
    const few = await costOfPages(small.days.length)
    await registerDays(database.pool, LAKE_INSTRUMENT, filled.days.slice(small.days.length))
    const many = await costOfPages(filled.days.length)
    expect(filled.rows).toBeGreaterThanOrEqual(SIZES[1])
    expect(few.bytes).toBeGreaterThan(1_000)
    expect(many.bytes / few.bytes).toBeLessThan(GROWTH_MAX)
    expect(many.calls / few.calls).toBeLessThan(GROWTH_MAX)
    for (const day of [FIRST_DAY, FIRST_DAY + filled.days.length - 1]) {
      const { data } = await coldPage(dayStart(day))
      const [hour = []] = tradeSlices(LAKE_INSTRUMENT, day)
      expect(data.map(({ trade_id: id, ts_recv: at, price, size, side }) => [id, at, price, size, side])).toEqual(
        hour
          .slice(0, PAGE_ROWS)
          .map(({ sourceId, tsRecv, price, size, side }) => [sourceId, formatRfc3339(tsRecv), price, size, side]),
      )
    }
  },
  FILL_MS,
)
