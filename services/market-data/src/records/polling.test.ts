import type { TradePage } from '@tapeline/contracts/market-data/http'
import { someUser } from '@tapeline/testing/actors'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, describe, expect, test } from 'vitest'
import { createDeps } from '../deps.ts'
import { formatRfc3339 } from '../nanoseconds.ts'
import { migrations } from '../migrations/all.ts'
import { someTrade } from '../../test/records.fixture.ts'
import { storeAtOnce, storeRecords } from '../store/store-records.ts'
import type { Tables } from '../tables.ts'
import { readClock } from './as-of-queries.ts'
import { listRecords } from './list-records.ts'
import type { Row } from './record-queries.ts'
import { renderPage } from './render-page.ts'

const START_NS = 1_795_255_200_000_000_000n
const [BTC, ETH, SOL, SPY] = [1, 2, 3, 4]
const SECOND_NS = 1_000_000_000n
let nowNs = START_NS + SECOND_NS
const actor = someUser({ tier: 'pro' })
const { pool, drop } = await openTestDatabase<Tables>(migrations)
const deps = createDeps(pool, () => new Date(Number(nowNs / 1_000_000n)), 'a secret of at least 32 characters')
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

test('one instrument that is fed in order is read to its end', async () => {
  const page = await listRecords(deps, actor, 'trade', { symbols: ['BTC-USDT'] })
  expect(page.rows).toHaveLength(5)
})

test('each instrument has its own time below which nothing changes', async () => {
  await storeAtOnce(pool, [{ instrumentId: SOL, trades: [someTrade('imported', START_NS)], l2Events: [] }])
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

describe('instruments of a connected venue, whose trades are stored in the order of their arrival', () => {
  const base = START_NS + 3_600n * SECOND_NS
  const at = (seconds: number) => base + (BigInt(seconds * 10) * SECOND_NS) / 10n
  const setNow = (seconds: number) => (nowNs = at(seconds))
  const arrive = (instrumentId: number, seconds: number) => {
    const trade = someTrade(`${instrumentId}-${seconds}`, at(seconds))
    return storeAtOnce(pool, [{ instrumentId, trades: [trade], l2Events: [] }])
  }
  const idsOf = ({ rows }: { rows: readonly Row[] }) => rows.map((row) => row[10])
  const both = { symbols: ['SOL-USDT', 'SPY-USD'], start: String(base) }
  const list = (body: object) => listRecords(deps, actor, 'trade', body)

  test('a client that polls them misses no trade although one arrives after a later one', async () => {
    setNow(10.6)
    await arrive(SOL, 10.5)
    const first = await list(both)
    await arrive(SPY, 10.3)
    setNow(12)
    const second = await list({ cursor: first.nextCursor })
    setNow(16)
    const third = await list({ cursor: second.nextCursor })
    expect([first, second, third].map(idsOf)).toEqual([[], [], ['4-10.3', '3-10.5']])
    await arrive(SPY, 15.9)
    expect(idsOf(await list({ cursor: third.nextCursor }))).toEqual([])
    setNow(21)
    expect(idsOf(await list({ cursor: third.nextCursor }))).toEqual(['4-15.9'])
  })

  test('one of them alone is read as far, so that a trade recovered within seconds is not missed', async () => {
    setNow(30.1)
    await arrive(SOL, 30)
    const first = await list({ symbols: ['SOL-USDT'], start: String(at(25)) })
    await arrive(SOL, 29.5)
    setNow(35.1)
    expect([idsOf(first), idsOf(await list({ cursor: first.nextCursor }))]).toEqual([[], ['3-29.5', '3-30']])
  })

  test('a cursor of a stream, which is ahead of that, waits for the trades after it', async () => {
    setNow(60)
    await arrive(SOL, 50)
    const ahead = await list({ ...both, start: String(at(50)) })
    expect(idsOf(ahead)).toEqual(['3-50'])
    setNow(50.1)
    const waiting = await list({ cursor: ahead.nextCursor })
    await arrive(SPY, 50.2)
    setNow(60)
    expect([idsOf(waiting), idsOf(await list({ cursor: waiting.nextCursor }))]).toEqual([[], ['4-50.2']])
  })

  test('descending lists, ranges that have ended and answers as of a time have every stored trade', async () => {
    setNow(70.1)
    await arrive(SOL, 70)
    const start = String(at(69))
    const asOf = String(await readClock(pool))
    for (const part of [{ order: 'desc' }, { end: String(at(70.1)) }, { as_of: asOf }]) {
      expect(idsOf(await list({ ...both, start, ...part })), JSON.stringify(part)).toEqual(['3-70'])
    }
  })
})
