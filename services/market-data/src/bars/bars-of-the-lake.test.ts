import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BarPage } from '@tapeline/contracts/market-data/bars'
import { someUser } from '@tapeline/testing/actors'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { importFiles } from '../../test/import-files.fixture.ts'
import { openTestLake, type TestLake } from '../../test/lake/lake.fixture.ts'
import { computeMissingMinuteBars } from './compute-missing-minute-bars.ts'
import { listBars } from './list-bars.ts'

const TRADES = 5_000
const START_MS = Date.parse('2024-08-08T00:00:00Z')
const pro = someUser({ tier: 'pro' })
let lake: TestLake

beforeEach(async () => {
  lake = await openTestLake()
})
afterEach(() => lake.close())

async function bars() {
  const page = await listBars(lake.deps, pro, { venues: ['binance'], interval: '1h' }, 'x')
  return (JSON.parse(page.json) as BarPage).data
}

test('days that an import writes straight into the lake have bars at once, and stored bars later', async () => {
  const lines = Array.from({ length: TRADES }, (_value, index) => {
    const price = 61_000 + (index % 97) / 100
    return `${index + 1},${price},0.5,${(price * 0.5).toFixed(3)},${START_MS + index * 7_000},true,true`
  })
  const path = join(lake.folder, 'BTCUSDT-trades-2024-08-08.csv')
  await writeFile(path, `${lines.join('\n')}\n`)
  await importFiles({ ...lake.deps, lakeBefore: new Date('2024-09-01T00:00:00Z') }, 'binance-spot', [path])
  const computed = await bars()
  expect(computed.map(({ count }) => count).reduce((sum, count) => sum + count)).toBe(TRADES)
  expect(await computeMissingMinuteBars(lake.deps)).toBe(1)
  const { rows } = await lake.database.pool.query('select count(*)::int as minutes from bar_1m')
  expect(rows).toEqual([{ minutes: Math.ceil((TRADES * 7) / 60) }])
  expect(await bars()).toEqual(computed)
})
