import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestLake, type TestLake } from '../../../test/lake/lake.fixture.ts'
import { someTrade } from '../../../test/records.fixture.ts'
import { dayStart } from '../../nanoseconds.ts'
import { keyOfRow } from '../../records/row-key.ts'
import type { Scan } from '../../records/scan.ts'
import { storeAtOnce } from '../../store/store-records.ts'
import { listStoredRows } from './list-stored-rows.ts'

const FIRST = 19_943
const DAYS = 25
const ROWS = 3
const INSTRUMENTS = [1, 2, 3]
let lake: TestLake

/** More sealed days than one listing of the manifest has; every seventh day is in PostgreSQL alone. */
beforeAll(async () => {
  lake = await openTestLake()
  for (const instrumentId of INSTRUMENTS) {
    for (let day = FIRST; day < FIRST + DAYS; day += 1) {
      const times = Array.from({ length: ROWS }, (_value, at) => dayStart(day) + BigInt(at))
      const trades = times.map((time, at) => someTrade(`${day} ${at}`, time))
      await storeAtOnce(lake.database.pool, [{ instrumentId, trades, l2Events: [] }])
      if ((day + instrumentId) % 7 !== 0) await lake.seal({ instrumentId, day, isDropped: true })
    }
  }
})
afterAll(() => lake.close())

test.each([
  ['asc', [1], 1_000],
  ['desc', [1], 1_000],
  ['asc', INSTRUMENTS, 1_000],
  ['desc', INSTRUMENTS, 1_000],
  ['asc', INSTRUMENTS, 7],
  ['desc', INSTRUMENTS, 10],
] as const)('%s, instruments %s, %s rows a page: all days in order', async (order, instrumentIds, limit) => {
  const filter = { order, time_format: 'unix_ns' } as const
  const found: string[] = []
  for (let after: Scan['after']; ;) {
    const scan: Scan = { channel: 'trade', instrumentIds: [...instrumentIds], filter, after }
    const { rows, frontier } = await listStoredRows(lake.deps, scan, { limit, scanMax: Number.MAX_SAFE_INTEGER })
    found.push(...rows.map((row) => `${keyOfRow(row).tsEvent} ${keyOfRow(row).instrumentId}`))
    const last = rows.at(-1)
    if (rows.length < limit && frontier === undefined) break
    after = frontier ?? (last && keyOfRow(last))
  }
  const expected: string[] = []
  for (let day = FIRST; day < FIRST + DAYS; day += 1) {
    for (let at = 0; at < ROWS; at += 1) {
      for (const id of instrumentIds) expected.push(`${dayStart(day) + BigInt(at)} ${id}`)
    }
  }
  expect(found).toEqual(order === 'asc' ? expected : expected.toReversed())
})
