import type { TradePage } from '@tapeline/contracts/market-data/http'
import { someUser } from '@tapeline/testing/actors'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, expect, test } from 'vitest'
import { createDeps } from '../deps.ts'
import { formatRfc3339 } from '../nanoseconds.ts'
import { migrations } from '../migrations/all.ts'
import { someTrade } from '../../test/records.fixture.ts'
import { storeAtOnce, storeRecords } from '../store/store-records.ts'
import type { Tables } from '../tables.ts'
import { listRecords } from './list-records.ts'
import { renderPage } from './render-page.ts'

const START_NS = 1_795_255_200_000_000_000n
const [BTC, ETH] = [1, 2]
const actor = someUser({ tier: 'pro' })
const { pool, drop } = await openTestDatabase<Tables>(migrations)
const deps = createDeps(
  pool,
  () => new Date(Number(START_NS / 1_000_000n) + 1_000),
  'a secret of at least 32 characters',
)
afterAll(drop)

/** As the consumer stores a feed: later records of this instrument have later times. */
async function feed(instrumentId: number, ...times: number[]): Promise<void> {
  const trades = times.map((time) => someTrade(`${instrumentId}-${time}`, START_NS + BigInt(time)))
  const batches = [{ instrumentId, trades, l2Events: [] }]
  await storeAtOnce(pool, batches, (client) => storeRecords(client, batches, { isOrdered: true }))
}

test('a client that polls several live instruments misses no record although one of them is late', async () => {
  const found: string[] = []
  let cursor: string | null = null
  const poll = async () => {
    const body = cursor === null ? { symbols: ['BTC-USDT', 'ETH-USDT'] } : { cursor }
    const page = await listRecords(deps, actor, 'trade', body)
    expect(page.nextCursor).not.toBeNull()
    cursor = page.nextCursor
    found.push(...page.rows.map((row) => row[10] ?? ''))
  }
  const pollUntil = (count: number) =>
    waitUntil(`${count} trades are found`, async () => {
      await poll()
      return found.length >= count
    })

  await feed(BTC, 10, 20, 30, 40)
  await feed(ETH, 5, 15, 25)
  await pollUntil(4)
  expect(found).toEqual(['2-5', '1-10', '2-15', '1-20'])
  await feed(ETH, 35, 50)
  await feed(BTC, 60)
  await pollUntil(8)
  expect(found).toEqual(['2-5', '1-10', '2-15', '1-20', '2-25', '1-30', '2-35', '1-40'])
})

test('one instrument alone is read to its end', async () => {
  const page = await listRecords(deps, actor, 'trade', { symbols: ['BTC-USDT'] })
  expect(page.rows).toHaveLength(5)
})

test('each instrument has its own time below which nothing changes', async () => {
  await storeAtOnce(pool, [{ instrumentId: 3, trades: [someTrade('imported', START_NS)], l2Events: [] }])
  const page = await listRecords(deps, actor, 'trade', { symbols: ['BTC-USDT', 'ETH-USDT', 'SOL-USDT'] })
  const { json } = await renderPage(pool, 'trade', page, { requestId: 'x' })
  const { coverage, complete_through }: TradePage = JSON.parse(json.toString())
  const [btc, eth] = [60n, 50n].map((time) => formatRfc3339(String(START_NS + time)))
  expect(coverage.map((one) => [one.symbol, one.complete_through])).toEqual([
    ['BTC-USDT', btc],
    ['ETH-USDT', eth],
    ['SOL-USDT', null],
  ])
  expect(complete_through).toBe(eth)
})
