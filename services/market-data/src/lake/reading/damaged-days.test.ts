import { readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Problem } from '@tapeline/contracts/problem'
import type { TradePage } from '@tapeline/contracts/market-data/http'
import type { Server } from '@tapeline/service/create-server'
import { someUser } from '@tapeline/testing/actors'
import { callAs, testInternalKeys } from '@tapeline/testing/call-as'
import { silentLogger } from '@tapeline/testing/silent-logger'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestLake, type TestLake } from '../../../test/lake/lake.fixture.ts'
import { someTrade } from '../../../test/records.fixture.ts'
import { createApp } from '../../app.ts'
import { dayStart } from '../../nanoseconds.ts'
import { storeAtOnce } from '../../store/store-records.ts'
import { createLake } from '../lake.ts'
import { StoreError } from '@tapeline/objects/object-store'
import { dropSealedDays } from '../sealing/drop-sealed-days.ts'

const DAYS = [19_943, 19_944, 19_945]
const BAD_DAY = 19_944
const actor = someUser({ tier: 'pro' })

let lake: TestLake
let app: Server
let isUnavailable = false

beforeEach(async () => {
  isUnavailable = false
  lake = await openTestLake(undefined, (store) => ({
    ...store,
    getRange: (key, from, to) =>
      isUnavailable ? Promise.reject(new StoreError('unavailable', 'unavailable')) : store.getRange(key, from, to),
  }))
  const trades = DAYS.flatMap((day) =>
    Array.from({ length: 3_000 }, (_value, index) => someTrade(`${day}-${index}`, dayStart(day) + BigInt(index))),
  )
  await storeAtOnce(lake.database.pool, [{ instrumentId: 1, trades, l2Events: [] }])
  for (const day of DAYS) await lake.seal({ instrumentId: 1, day })
  app = await createApp(lake.deps, { logger: silentLogger, internalKeys: testInternalKeys, checks: {} })
})
afterEach(async () => {
  await app.close()
  await lake.close()
})

async function callDay(day: number) {
  const body = {
    venues: ['sim'],
    symbols: ['BTC-USDT'],
    start: String(dayStart(day)),
    end: String(dayStart(day + 1)),
    limit: 1000,
  }
  return callAs(app, 'market-data', actor, { method: 'POST', url: '/api/v1/trades/list', body })
}

async function fileOf(day: number): Promise<string> {
  const date = new Date(day * 86_400_000).toISOString().slice(0, 10)
  const names = await readdir(lake.folder, { recursive: true })
  return join(lake.folder, names.find((name) => name.includes(date) && name.endsWith('.parquet')) ?? '')
}

const damages: [string, (path: string) => Promise<void>][] = [
  ['missing', (path) => rm(path)],
  ['truncated', (path) => truncate(path, 2_000)],
  [
    'altered',
    async (path) => {
      const bytes = await readFile(path)
      bytes[500] = (bytes[500] ?? 0) ^ 1
      await writeFile(path, bytes)
    },
  ],
]

test.each(damages)('a file that is %s is a named problem of its day alone', async (_what, damage) => {
  await dropSealedDays(lake.deps, 0)
  await damage(await fileOf(BAD_DAY))
  const failed = await callDay(BAD_DAY)
  expect(failed.statusCode).toBe(500)
  expect(failed.json<Problem>()).toMatchObject({ code: 'data.damaged', detail: expect.stringContaining('2024-08-09') })
  for (const day of [19_943, 19_945]) {
    expect((await callDay(day)).json<TradePage>().data).toHaveLength(1000)
  }
})

test.each(damages)('a file that is %s has no effect while PostgreSQL still has the day', async (_what, damage) => {
  const expected = (await callDay(BAD_DAY)).json<TradePage>().data
  await damage(await fileOf(BAD_DAY))
  await app.close()
  // A new process that has not cached the file.
  const fresh = createLake(lake.database.pool, lake.deps.lake.store, 1_000_000)
  app = await createApp(
    { ...lake.deps, lake: fresh },
    { logger: silentLogger, internalKeys: testInternalKeys, checks: {} },
  )
  expect((await callDay(BAD_DAY)).json<TradePage>().data).toEqual(expected)
})

test('while the store is unavailable, days in PostgreSQL are read and sealed ones return 503 with Retry-After', async () => {
  await dropSealedDays(lake.deps, 0)
  const hot = someTrade('hot', dayStart(19_950))
  await storeAtOnce(lake.database.pool, [{ instrumentId: 1, trades: [hot], l2Events: [] }])
  isUnavailable = true
  const failed = await callDay(BAD_DAY)
  expect(failed.statusCode).toBe(503)
  expect(failed.headers['retry-after']).toBe('5')
  expect(failed.json<Problem>()).toMatchObject({ code: 'data.unavailable' })
  expect((await callDay(19_950)).json<TradePage>().data).toHaveLength(1)
  isUnavailable = false
  expect((await callDay(BAD_DAY)).json<TradePage>().data).toHaveLength(1000)
})
