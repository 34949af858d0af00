import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { importFiles } from '../../test/import-files.fixture.ts'
import { makeZip } from '../../test/make-zip.fixture.ts'
import { createDeps } from '../deps.ts'
import { migrations } from '../migrations/all.ts'
import type { Tables } from '../tables.ts'

const { pool, drop } = await openTestDatabase<Tables>(migrations)
const deps = createDeps(pool, () => new Date(), 'a secret of at least 32 characters')
const folder = await mkdtemp(join(tmpdir(), 'tapeline-kinds-'))
afterAll(async () => {
  await drop()
  await rm(folder, { recursive: true })
})
beforeEach(async () => void (await pool.query('truncate trade, l2_event')))

async function file(name: string, content: string | Buffer): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, content)
  return path
}

async function storedTrades(): Promise<string[]> {
  const { rows } = await pool.query<{ row: string }>(`
    select concat_ws(' ', symbol, source_id, ts_event, price, size, side, conditions) as row
    from trade join instrument using (instrument_id) order by instrument_id, ts_event, sequence`)
  return rows.map(({ row }) => row)
}

const LOCAL_NS = '1723161254087896568'
const frames = (...messages: object[]): string =>
  messages.map((data) => `${LOCAL_NS} ${JSON.stringify({ stream: 'btcusdt@x', data })}\n`).join('')
const trade = { e: 'trade', E: 1723161255343, T: 1723161255342, s: 'BTCUSDT', t: 9, p: '61837.60', q: '0.020', m: true }
const depth = { e: 'depthUpdate', E: 1723161255343, s: 'BTCUSDT', U: 5, u: 9, b: [['1', '2']], a: [] }

const FILES = {
  'binance-spot': {
    'spot frames': { name: 'a.gz', content: gzipSync(frames({ ...trade, M: true }, depth)) },
    'spot trades': {
      name: 'BTCUSDT-trades-2024-08-08.csv',
      content: '9,61837.6,0.02,1236.752,1723161255342,True,True\n',
    },
    'spot aggregate trades': {
      name: 'BTCUSDT-aggTrades-2025-01-08.csv',
      content: '4,61837.6,0.02,9,11,1736380800123456,True,True\n',
    },
  },
  'binance-usdm': {
    'USD-M frames': { name: 'b.gz', content: gzipSync(frames({ ...trade, X: 'MARKET' }, { ...depth, pu: 4 })) },
    'USD-M trades': {
      name: 'BTCUSDT-trades-2024-08-08.csv',
      content: 'id,price,qty,quote_qty,time,is_buyer_maker\n9,61837.6,0.02,1236.752,1723161255342,true\n',
    },
    'USD-M trades without a header': {
      name: 'ETHUSDT-trades-2020-08-08.csv',
      content: '9,390.5,2,781.0,1596844800123,false\n',
    },
    'USD-M aggregate trades': {
      name: 'BTCUSDT_240927-aggTrades-2024-08-08.csv',
      content:
        'agg_trade_id,price,quantity,first_trade_id,last_trade_id,transact_time,is_buyer_maker\n4,61837.6,0.02,9,11,1723161255342,false\n',
    },
  },
  'binance-coinm': {
    'COIN-M frames': {
      name: 'c',
      content: frames({ ...trade, s: 'BTCUSD_PERP' }, { ...depth, s: 'BTCUSD_PERP', ps: 'BTCUSD', pu: 4 }),
    },
    'COIN-M trades': {
      name: 'BTCUSD_PERP-trades-2024-08-08.csv',
      content: 'id,price,qty,base_qty,time,is_buyer_maker\n9,61837.6,25,0.0404284,1723161255342,true\n',
    },
    'COIN-M aggregate trades': {
      name: 'BTCUSD_240927-aggTrades-2024-08-08.csv',
      content: '4,61837.6,25,9,11,1723161255342,false\n',
    },
  },
  'lean-trade': {
    'LEAN trades': { name: '20131007_spy_Trade_Tick.csv', content: '14400464,1674100,100,P,20002000,1\n' },
  },
  'lean-quote': {
    'LEAN quotes': { name: '20131008_ibm_Quote_Tick.csv', content: '14400640,1800100,200,0,0,P,1,0\n' },
  },
}
const ALL = Object.entries(FILES).flatMap(([kind, files]) =>
  Object.entries(files).map(([title, { name, content }]) => ({ kind, title, name, content })),
)

test.each(ALL)('$title are recognized as $kind, and rejected as any other kind', async ({ kind, name, content }) => {
  const path = await file(name, content)
  expect(await importFiles(deps, undefined, [path])).toMatchObject([{ kind, refused: { count: 0 } }])
  await pool.query('truncate trade, l2_event')
  for (const other of Object.keys(FILES).filter((one) => one !== kind)) {
    await expect(importFiles(deps, other, [path]), other).rejects.toThrow(`is not ${other}: it looks like ${kind}`)
  }
  const { rows } = await pool.query('select from trade union all select from l2_event')
  expect(rows).toEqual([])
})

test('if one of several files is of another kind, nothing is stored', async () => {
  const spot = await file('spot', frames({ ...trade, M: true }))
  const usdm = await file('usdm', frames({ ...trade, X: 'MARKET' }))
  await expect(importFiles(deps, 'binance-spot', [spot, usdm])).rejects.toThrow('looks like binance-usdm')
  expect(await storedTrades()).toEqual([])
})

test('frames of another market later in a file are rejected line by line', async () => {
  const spot = Array.from({ length: 300 }, (_value, index) => ({ ...trade, t: index + 1, M: true }))
  const mixed = await file('mixed', frames(...spot, { ...trade, t: 900, X: 'MARKET' }))
  const [summary] = await importFiles(deps, 'binance-spot', [mixed])
  expect(summary).toMatchObject({
    trades: { added: 300 },
    refused: { count: 1, first: [{ line: 301, reason: 'is a frame of usdm, not of spot' }] },
  })
})

test('a file named after one market with the columns of another is not recognized', async () => {
  const header = 'id,price,qty,quote_qty,time,is_buyer_maker\n'
  const path = await file('BTCUSD_PERP-trades-2024-08-08.csv', `${header}9,61837.6,0.02,1236.752,1723161255342,true\n`)
  await expect(importFiles(deps, undefined, [path])).rejects.toThrow('is not a file that can be imported')
  await expect(importFiles(deps, 'binance-coinm', [path])).rejects.toThrow('is not binance-coinm')
})

test('archived trades keep ids, decimals and the taker side; an aggregate does not take the place of a trade', async () => {
  const header = 'agg_trade_id,price,quantity,first_trade_id,last_trade_id,transact_time,is_buyer_maker\n'
  const archive = await makeZip({
    'BTCUSDT-trades-2024-08-08.csv':
      'id,price,qty,quote_qty,time,is_buyer_maker\n4,61837.60,0.020,1236.752,1723161255342,true\n5,61837.60,0.030,1855.128,1723161255342,false\n',
  })
  const trades = await file('trades.zip', archive)
  const aggregates = await file('BTCUSDT-aggTrades-2024-08-08.csv', `${header}4,61837.6,0.05,4,5,1723161255342,true\n`)
  const summaries = await importFiles(deps, undefined, [trades, aggregates, trades])
  expect(summaries.map(({ trades: { found, added } }) => [found, added])).toEqual([
    [2, 2],
    [1, 1],
    [2, 0],
  ])
  expect(await storedTrades()).toEqual([
    'BTC-USDT-PERP 4 1723161255342000000 61837.6 0.02 s',
    'BTC-USDT-PERP 5 1723161255342000000 61837.6 0.03 b',
    'BTC-USDT-PERP a4 1723161255342000000 61837.6 0.05 s aggregate:4-5',
  ])
})

test('quotes have both sides: a side that a row omits keeps its last value', async () => {
  const quotes = await file(
    '20131008_ibm_Quote_Tick.csv',
    '14400640,1800100,200,0,0,P,1,0\n14400640,0,0,1826200,100,P,1,0\n14400700,1800200,300,0,0,P,1,0\n',
  )
  await importFiles(deps, 'lean-quote', [quotes])
  const { rows } = await pool.query('select type, bids, asks, depth_limit from l2_event order by ts_event, sequence')
  expect(rows).toEqual([
    { type: 's', bids: '[["180.01","200"]]', asks: '[]', depth_limit: 1 },
    { type: 's', bids: '[["180.01","200"]]', asks: '[["182.62","100"]]', depth_limit: 1 },
    { type: 's', bids: '[["180.02","300"]]', asks: '[["182.62","100"]]', depth_limit: 1 },
  ])
})

test('more than a thousand unreadable lines end the import', async () => {
  const bad = 'neither a time nor a frame\n'.repeat(1_001)
  const path = await file('mostly-bad', frames({ ...trade, M: true }) + bad)
  await expect(importFiles(deps, 'binance-spot', [path])).rejects.toThrow('line 1002: does not begin with a time')
})
