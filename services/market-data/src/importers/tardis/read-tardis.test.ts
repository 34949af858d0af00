import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { importFiles } from '../../../test/import-files.fixture.ts'
import { createDeps } from '../../deps.ts'
import { migrations } from '../../migrations/all.ts'
import type { Tables } from '../../tables.ts'

const { pool, drop } = await openTestDatabase<Tables>(migrations)
const deps = createDeps(pool, () => new Date(), 'a secret of at least 32 characters')
const folder = await mkdtemp(join(tmpdir(), 'tapeline-tardis-'))
afterAll(async () => {
  await drop()
  await rm(folder, { recursive: true })
})
beforeEach(async () => void (await pool.query('truncate trade, l2_event')))

const START = 'exchange,symbol,timestamp,local_timestamp'

async function file(header: string, ...rows: string[]): Promise<string> {
  const path = join(folder, `${rows.length}.csv.gz`)
  await writeFile(path, gzipSync([`${START},${header}`, ...rows, ''].join('\n')))
  return path
}

async function storedEvents(): Promise<string[]> {
  const { rows } = await pool.query<{ row: string }>(`
    select concat_ws(' ', symbol, type, ts_event, ts_recv, bids, asks, depth_limit, gap_reason) as row
    from l2_event join instrument using (instrument_id) order by instrument_id, ts_event, sequence`)
  return rows.map(({ row }) => row)
}

test('trades keep both clocks, decimals in exponent form are written out, symbols become canonical', async () => {
  const path = await file(
    'id,side,price,amount',
    'binance-futures,BTCUSDT,1723161255342000,1723161255345123,9,sell,61837.60,0.02',
    'deribit,BTC-PERPETUAL,1723161255342000,1723161255345124,x1,buy,61837.5,1e-7',
    'okex-swap,BTC-USDT-SWAP,1723161255342000,1723161255345125,,unknown,61837.5,12',
    'kraken,XBT/USD,1723161255342000,1723161255345126,7,buy,61837.5,2',
    'bitmex,XBTUSD,1723161255342000,1723161255345127,7,buy,61837.5,2',
  )
  expect(await importFiles(deps, undefined, [path])).toMatchObject([
    {
      kind: 'tardis-trades',
      trades: { found: 4, added: 4 },
      refused: { count: 1, first: [{ line: 6, reason: 'the symbol XBTUSD of bitmex cannot be translated' }] },
    },
  ])
  const { rows } = await pool.query(`
    select concat_ws(' ', venue, symbol, source_id, has_trade_id, ts_event, ts_recv, price, size, side) as row
    from trade join instrument using (instrument_id) order by ts_recv`)
  expect(rows.map(({ row }) => row)).toEqual([
    'binance BTC-USDT-PERP 9 t 1723161255342000000 1723161255345123000 61837.6 0.02 s',
    'deribit BTC-USD-PERP x1 t 1723161255342000000 1723161255345124000 61837.5 0.0000001 b',
    'okx BTC-USDT-PERP row:4 f 1723161255342000000 1723161255345125000 61837.5 12 u',
    'kraken BTC-USD 7 t 1723161255342000000 1723161255345126000 61837.5 2 b',
  ])
  expect(await importFiles(deps, 'tardis-trades', [path])).toMatchObject([{ trades: { found: 4, added: 0 } }])
})

test('rows of one message become one book event; before the first snapshot nothing is stored', async () => {
  const row = (time: number, isSnapshot: boolean, level: string) =>
    `binance,BTCUSDT,${1_723_161_255_000_000 + time},${1_723_161_255_000_500 + time},${isSnapshot},${level}`
  const path = await file(
    'is_snapshot,side,price,amount',
    row(1, false, 'bid,9,1'),
    row(2, true, 'ask,12,1'),
    row(2, true, 'bid,9,1'),
    row(2, true, 'bid,10,2'),
    row(3, false, 'bid,10,0'),
    row(3, false, 'ask,11.5,4.50'),
    row(4, false, 'bid,9,7'),
  )
  const [summary] = await importFiles(deps, undefined, [path])
  expect(summary).toMatchObject({
    kind: 'tardis-l2',
    gaps: 0,
    notes: ['1 changes without a snapshot before them were not stored'],
  })
  expect(await storedEvents()).toEqual([
    'BTC-USDT s 1723161255000002000 1723161255000502000 [["10","2"],["9","1"]] [["12","1"]]',
    'BTC-USDT u 1723161255000003000 1723161255000503000 [["10","0"]] [["11.5","4.5"]]',
    'BTC-USDT u 1723161255000004000 1723161255000504000 [["9","7"]] []',
  ])
})

test('after a rejected row of a book there is a gap, and nothing until the next snapshot', async () => {
  const start = 'binance,BTCUSDT,172316125500000'
  const path = await file(
    'is_snapshot,side,price,amount',
    `${start}1,1723161255000501,true,bid,10,2`,
    `${start}2,1723161255000502,false,bid,10,3`,
    `${start}3,1723161255000503,false,bid,ten,3`,
    `${start}4,1723161255000504,false,bid,10,4`,
    `${start}5,1723161255000505,true,bid,10,5`,
  )
  expect(await importFiles(deps, undefined, [path])).toMatchObject([{ gaps: 1, refused: { count: 1 } }])
  expect((await storedEvents()).map((row) => row.split(' ').slice(1, 3).join(' '))).toEqual([
    's 1723161255000001000',
    'g 1723161255000002000',
    's 1723161255000005000',
  ])
})

test('quotes become books of depth 1; an empty price is an empty side', async () => {
  const path = await file(
    'ask_amount,ask_price,bid_price,bid_amount',
    'coinbase,BTC-USD,1723161255000001,1723161255000501,2,61838,61837,1.50',
    'coinbase,BTC-USD,1723161255000002,1723161255000502,,,61837,1',
  )
  expect(await importFiles(deps, undefined, [path])).toMatchObject([{ kind: 'tardis-quotes', l2_events: { added: 2 } }])
  expect(await storedEvents()).toEqual([
    'BTC-USD s 1723161255000001000 1723161255000501000 [["61837","1.5"]] [["61838","2"]] 1',
    'BTC-USD s 1723161255000002000 1723161255000502000 [["61837","1"]] [] 1',
  ])
})
