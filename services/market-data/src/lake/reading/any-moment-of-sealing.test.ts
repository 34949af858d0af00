import { setTimeout as delay } from 'node:timers/promises'
import type { TradePage } from '@tapeline/contracts/market-data/http'
import type { Server } from '@tapeline/service/create-server'
import { someUser } from '@tapeline/testing/actors'
import { callAs, testInternalKeys } from '@tapeline/testing/call-as'
import { PROPERTY_SEED } from '@tapeline/testing/property-seed'
import { silentLogger } from '@tapeline/testing/silent-logger'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestLake, type TestLake } from '../../../test/lake/lake.fixture.ts'
import { someL2Event, someTrade } from '../../../test/records.fixture.ts'
import { createApp } from '../../app.ts'
import { INSTRUMENTS_AGE_MAX_MS } from '../../instruments/instrument-cache.ts'
import { storeAtOnce } from '../../store/store-records.ts'
import type { ChannelName } from '../../tables.ts'
import { createLake } from '../lake.ts'
import { mergeFinishedMonths } from '../months/merge-finished-months.ts'
import { dropSealedDays } from '../sealing/drop-sealed-days.ts'
import { sealDay } from '../sealing/seal-day.ts'

const FIRST_DAY = 19_943
const DAYS = [FIRST_DAY, FIRST_DAY + 1, FIRST_DAY + 2, FIRST_DAY + 4]
const DAY_NS = 86_400_000_000_000n
const IDS = [1, 2, 3]
const SYMBOLS = ['BTC-USDT', 'ETH-USDT', 'SOL-USDT']
const READER_BYTES = 200_000
const MONTH_BYTES_MAX = 10_000_000
const NOW = new Date('2024-09-01T00:00:00Z')
const actor = someUser({ tier: 'pro' })

let lake: TestLake
let app: Server
let apps: Server[] = []

beforeAll(async () => {
  lake = await openTestLake(() => NOW)
  for (const [place, instrumentId] of IDS.entries()) {
    const trades = DAYS.flatMap((day, index) => tradesOf(day, (400 + 150 * place) * (index === 2 ? 0 : 1)))
    const l2Events = DAYS.flatMap((day) => l2EventsOf(day, 60))
    await storeAtOnce(lake.database.pool, [{ instrumentId, trades, l2Events }])
  }
  app = await createApp(lake.deps, { logger: silentLogger, internalKeys: testInternalKeys, checks: {} })
  apps = [app]
})
afterAll(async () => {
  for (const one of apps) await one.close()
  await lake.close()
})

/** Many ties, at the edges of days too; the ids of ties differ only by their position. */
function tradesOf(day: number, count: number) {
  const start = BigInt(day) * DAY_NS
  return Array.from({ length: count }, (_value, index) => {
    const tie = BigInt(Math.floor((index * index) % 37))
    const time = index < 30 ? start : index < 60 ? start + DAY_NS - 1n : start + tie * 1_000n
    const fields = {
      price: `${60_000 + (index % 50)}.5`,
      size: `0.${(index % 9) + 1}`,
      conditions: index % 7 ? [] : ['odd_lot'],
    }
    return someTrade(`${day}-${index}`, time, { ...fields, side: index % 3 === 0 ? 'buy' : 'sell' })
  })
}

function l2EventsOf(day: number, count: number) {
  const start = BigInt(day) * DAY_NS
  return Array.from({ length: count }, (_value, index) =>
    someL2Event(`${day}-${index}`, start + BigInt(index % 20) * 1_000n, {
      type: index % 25 === 0 ? 'snapshot' : index % 25 === 1 ? 'gap' : 'update',
    }),
  )
}

type Call = { path: string; body: object }

async function page({ path, body }: Call): Promise<TradePage> {
  const response = await callAs(app, 'market-data', actor, { method: 'POST', url: path, body })
  expect(response.statusCode, response.body).toBe(200)
  return response.json<TradePage>()
}

/** The coverage and every record of a walk as JSON text, whatever the sizes of its pages: each gap counts once. */
async function walk(path: string, filter: object, sizes: readonly number[]): Promise<string[]> {
  const records: string[] = []
  const coverage = new Set<string>()
  let call: Call = { path, body: { ...filter, limit: sizes[0] } }
  for (let number = 1; ; number += 1) {
    const current = await page(call)
    for (const part of current.coverage) coverage.add(JSON.stringify(part))
    records.push(...current.data.map((record) => JSON.stringify(record)))
    if (!current.has_more) return [...coverage, ...records]
    call = { path, body: { cursor: current.next_cursor, limit: sizes[number % sizes.length] } }
  }
}

const at = fc.tuple(fc.constantFrom(...DAYS, FIRST_DAY + 3, FIRST_DAY + 5), fc.integer({ min: 0, max: 40 }))
const time = at.map(([day, offset]) => String(BigInt(day) * DAY_NS + BigInt(offset) * 1_000n))
const common = {
  order: fc.constantFrom('asc', 'desc'),
  symbols: fc.subarray(SYMBOLS, { minLength: 1 }),
  range: fc.option(fc.tuple(time, time), { nil: undefined }),
  time_field: fc.option(fc.constantFrom('ts_event', 'ts_recv'), { nil: undefined }),
}
const tradeFilter = fc.record({
  ...common,
  side: fc.option(fc.constantFrom('buy', 'sell'), { nil: undefined }),
  price: fc.option(fc.constant({ gte: '60010', lt: '60020.5' }), { nil: undefined }),
  include: fc.constant(['conditions']),
})
const l2Filter = fc.record({
  ...common,
  types: fc.option(fc.subarray(['snapshot', 'update', 'gap'], { minLength: 1 }), { nil: undefined }),
  layout: fc.option(fc.constantFrom('events', 'levels'), { nil: undefined }),
})
const filters = fc.oneof(
  {
    weight: 3,
    arbitrary: tradeFilter.map((filter) => ({ path: '/api/v1/trades/list', channel: 'trade' as const, filter })),
  },
  {
    weight: 1,
    arbitrary: l2Filter.map((filter) => ({ path: '/api/v1/l2events/list', channel: 'l2_event' as const, filter })),
  },
)
const sizes = fc.array(fc.constantFrom(7, 97, 250, 999, 1000, 10_000), { minLength: 1, maxLength: 3 })

function bodyOf({ range, ...filter }: { range: [string, string] | undefined }): object {
  const body = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined))
  const [start, end] = (range ?? []).toSorted()
  return { venues: ['sim'], ...body, end: String(BigInt(FIRST_DAY + 9) * DAY_NS), ...(start !== end && { start, end }) }
}

const samples = fc.sample(fc.record({ call: filters, sizes }), { seed: PROPERTY_SEED, numRuns: 40 })
/**
 * Days are sealed one after the other, not in the order of time; every third with the removal of what is sealed so far,
 * every sixth with the merge of what is removed.
 */
const seals: { channel: ChannelName; instrumentId: number; day: number }[] =
  fc.sample(
    fc.shuffledSubarray(
      DAYS.flatMap((day) =>
        IDS.flatMap((instrumentId) =>
          (['trade', 'l2_event'] as const).map((channel) => ({ channel, instrumentId, day })),
        ),
      ),
      { minLength: 24, maxLength: 24 },
    ),
    { seed: PROPERTY_SEED, numRuns: 1 },
  )[0] ?? []

test('every page size, order and filter reads the same records byte for byte at any moment of sealing', async () => {
  const expected = new Map<number, string[]>()
  for (const [index, { call }] of samples.entries()) {
    expected.set(index, await walk(call.path, bodyOf(call.filter), [10_000]))
  }
  expect([...expected.values()].filter((records) => records.length > 1).length).toBeGreaterThan(20)
  const afterMonth = { ...lake.deps, now: () => new Date('2024-09-10T00:00:00Z') }
  let merged = 0
  for (const [moment, day] of seals.entries()) {
    await sealDay(lake.deps, day)
    if (moment % 3 === 2) await dropSealedDays(lake.deps, 0)
    if (moment % 6 === 5) merged += (await mergeFinishedMonths(afterMonth, MONTH_BYTES_MAX)).merged
    await newReader()
    for (const [index, { call, sizes: pages }] of samples.entries()) {
      if (index % seals.length !== moment % seals.length && moment !== seals.length - 1) continue
      expect(await walk(call.path, bodyOf(call.filter), pages), JSON.stringify([moment, call])).toEqual(
        expected.get(index),
      )
    }
  }
  expect(merged).toBeGreaterThan(IDS.length)
  const { rows } = await lake.database.pool.query(
    'select (select count(*) from trade) + (select count(*) from l2_event) as rows',
  )
  expect(rows).toEqual([{ rows: '0' }])
})

test('paging continues in the middle of a day while that day is sealed and removed from PostgreSQL', async () => {
  const day = FIRST_DAY + 6
  const start = BigInt(day) * DAY_NS
  const trades = tradesOf(day, 700)
  await storeAtOnce(lake.database.pool, [{ instrumentId: 1, trades, l2Events: [] }])
  // The reader may load the manifest only now.
  await delay(INSTRUMENTS_AGE_MAX_MS)
  const filter = { venues: ['sim'], symbols: ['BTC-USDT'], start: String(start), end: String(start + DAY_NS) }
  const whole = await walk('/api/v1/trades/list', filter, [1000])
  const records: string[] = []
  let call: Call = { path: '/api/v1/trades/list', body: { ...filter, limit: 90 } }
  for (let number = 0; ; number += 1) {
    const current = await page(call)
    if (number === 0) records.push(...current.coverage.map((part) => JSON.stringify(part)))
    records.push(...current.data.map((record) => JSON.stringify(record)))
    if (number === 2) await sealDay(lake.deps, { instrumentId: 1, channel: 'trade', day })
    if (number === 4) await dropSealedDays(lake.deps, 0)
    await newReader()
    if (!current.has_more) break
    call = { ...call, body: { cursor: current.next_cursor } }
  }
  expect(records).toEqual(whole)
})

/** A new process with an empty and small cache. */
async function newReader(): Promise<void> {
  const fresh = createLake(lake.database.pool, lake.deps.lake.store, READER_BYTES)
  app = await createApp(
    { ...lake.deps, lake: fresh },
    { logger: silentLogger, internalKeys: testInternalKeys, checks: {} },
  )
  apps.push(app)
}
