import { openTestDatabase, type TestDatabase } from '@tapeline/testing/test-database'
import { someUser } from '@tapeline/testing/actors'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { someTrade } from '../../test/records.fixture.ts'
import { createDeps, type Deps } from '../deps.ts'
import { migrations } from '../migrations/all.ts'
import { storeAtOnce } from '../store/store-records.ts'
import type { Tables } from '../tables.ts'
import { type Key, signCursor } from './cursor.ts'
import type { Filter } from './filter.ts'
import { listRecords } from './list-records.ts'
import { compareKeys, keyOfRow } from './row-key.ts'

const START_NS = 1_723_161_599_000_000_000n
const INSTRUMENTS = [1, 2, 3]
const TRADES = 60
const actor = someUser({ tier: 'pro' })
let database: TestDatabase<Tables>
let deps: Deps

beforeAll(async () => {
  database = await openTestDatabase<Tables>(migrations)
  deps = createDeps(database.pool, () => new Date('2024-08-09T12:00:00Z'), 'a secret of at least 32 characters')
  const batches = INSTRUMENTS.map((instrumentId) => ({
    instrumentId,
    trades: Array.from({ length: TRADES }, (_value, index) =>
      someTrade(`t${index}`, START_NS + BigInt(Math.floor(index / 3)) * 100_000_000n, {
        side: index % 2 === 0 ? 'buy' : 'sell',
      }),
    ),
    l2Events: [],
  }))
  await storeAtOnce(database.pool, batches)
})
afterAll(() => database.drop())

/** All keys that are read from a cursor with these places. */
async function walk(filter: Filter, after: Key, floors: Key[], limit: number): Promise<Key[]> {
  const keys: Key[] = []
  let cursor = signCursor(deps.cursorKey, { channel: 'trade', filter, limit, after, retainedFrom: '0', floors })
  for (;;) {
    const page = await listRecords(deps, actor, 'trade', { cursor, limit })
    keys.push(...page.rows.map(keyOfRow))
    if (!page.hasMore || page.nextCursor === null) return keys
    cursor = page.nextCursor
  }
}

const places = (tsEvent: string, sequences: string[]): Key[] =>
  sequences.map((sequence, index) => ({ tsEvent, instrumentId: INSTRUMENTS[index] ?? 0, sequence }))

test.each([
  [{ order: 'asc', time_format: 'rfc3339', venues: ['sim'] }, TRADES],
  [{ order: 'asc', time_format: 'rfc3339', venues: ['sim'], side: 'buy' }, TRADES / 2],
] satisfies [Filter, number][])(
  'each instrument continues after its own position, in one order, whatever the page size: %j',
  async (filter, each) => {
    const all = await walk(filter, { tsEvent: '0', instrumentId: 0, sequence: '0' }, [], 1000)
    expect(all).toHaveLength(each * INSTRUMENTS.length)
    for (let index = 0; index < each; index += 7) {
      const first = all[index]
      if (first === undefined) throw new Error('no such record')
      const later = [...places(first.tsEvent, ['0', '0', '0']), ...all.slice(index + 5, index + 40)]
      const floors = INSTRUMENTS.flatMap((id) => later.filter(({ instrumentId }) => instrumentId === id).slice(-1))
      const expected = all.filter((key) => {
        const floor = floors.find(({ instrumentId }) => instrumentId === key.instrumentId)
        return compareKeys(key, first) > 0 && (floor === undefined || compareKeys(key, floor) > 0)
      })
      for (const limit of [1, 7, 1000]) {
        if (limit === 1 && index % 2 === 1) continue
        expect(await walk(filter, first, floors, limit), `after ${index}, pages of ${limit}`).toEqual(expected)
      }
    }
  },
)
