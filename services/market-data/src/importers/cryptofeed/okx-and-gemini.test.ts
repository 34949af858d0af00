import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { openTestDatabase, type TestDatabase } from '@tapeline/testing/test-database'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { importFiles } from '../../../test/import-files.fixture.ts'
import { createDeps, type Deps } from '../../deps.ts'
import { migrations } from '../../migrations/all.ts'
import type { Tables } from '../../tables.ts'

const MS = 1_723_161_254_000
let database: TestDatabase<Tables>
let deps: Deps
let folder: string

beforeEach(async () => {
  database = await openTestDatabase<Tables>(migrations)
  deps = createDeps(database.pool, () => new Date(), 'a secret of at least 32 characters')
  folder = await mkdtemp(join(tmpdir(), 'tapeline-frames-'))
})
afterEach(async () => {
  await database.drop()
  await rm(folder, { recursive: true })
})

/** Frames that arrive a second after one another. */
async function recording(name: string, ...frames: unknown[]): Promise<string> {
  const lines = frames.map((frame, at) =>
    typeof frame === 'string' ? frame : `${MS / 1000 + at}.25: ${JSON.stringify(frame)}`,
  )
  const path = join(folder, name)
  await writeFile(path, gzipSync(`${lines.join('\n')}\n`))
  return path
}

async function stored(): Promise<{ trades: string[]; books: string[] }> {
  const { rows: trades } = await database.pool.query<{ row: string }>(`
    select concat_ws(' ', venue, symbol, source_id, ts_event, ts_recv, price, size, side, side_source) as row
    from trade join instrument using (instrument_id) order by ts_event, sequence`)
  const { rows: books } = await database.pool.query<{ row: string }>(`
    select concat_ws(' ', symbol, type, source_id, ts_event, flags, bids, asks, gap_reason) as row
    from l2_event join instrument using (instrument_id) order by sequence`)
  return { trades: trades.map(({ row }) => row), books: books.map(({ row }) => row) }
}

type Book = { action: string; ids: [previous: number, id: number]; bids?: string[][]; asks?: string[][]; at: number }

function okxBook({ action, ids: [prevSeqId, seqId], bids = [], asks = [], at }: Book) {
  const data = [{ asks, bids, ts: String(MS + at), checksum: -855196043, prevSeqId, seqId }]
  return { arg: { channel: 'books', instId: 'BTC-USDT-SWAP' }, action, data }
}

test('OKX: books are joined by their sequence ids, trades have the side of the taker', async () => {
  const level = (price: string, size: string) => [price, size, '0', '4']
  const trade = {
    instId: 'BTC-USDT-SWAP',
    tradeId: '130639474',
    px: '42219.90',
    sz: '0.12060306',
    side: 'buy',
    count: '3',
  }
  const path = await recording(
    'OKX.ws.1.0.gz',
    'wss://ws.okx.com:8443/ws/v5/public <- 1723161253.1: {"op":"subscribe"}',
    { event: 'subscribe', arg: { channel: 'books', instId: 'BTC-USDT-SWAP' } },
    okxBook({ action: 'update', ids: [5, 6], bids: [level('8', '1')], at: 10 }),
    okxBook({ action: 'snapshot', ids: [-1, 10], bids: [level('8476.90', '415')], asks: [level('8477', '7')], at: 20 }),
    okxBook({ action: 'update', ids: [10, 15], asks: [level('8477', '0')], at: 30 }),
    okxBook({ action: 'update', ids: [15, 15], at: 40 }),
    okxBook({ action: 'update', ids: [15, 16], bids: [level('8476.9', '1')], at: 50 }),
    { arg: { channel: 'trades', instId: 'BTC-USDT-SWAP' }, data: [{ ...trade, ts: String(MS + 55) }] },
    okxBook({ action: 'update', ids: [17, 18], bids: [level('8476', '1')], at: 60 }),
    okxBook({ action: 'update', ids: [18, 19], bids: [level('8475', '1')], at: 70 }),
  )
  expect(await importFiles(deps, undefined, [path])).toMatchObject([
    {
      kind: 'okx',
      instruments: ['okx:BTC-USDT-PERP'],
      trades: { added: 1 },
      l2_events: { added: 4 },
      gaps: 1,
      refused: { count: 0 },
      notes: ['BTC-USDT-PERP: 2 updates without a snapshot before them were not stored'],
    },
  ])
  expect(await stored()).toEqual({
    trades: ['okx BTC-USDT-PERP 130639474 1723161254055000000 1723161261250000000 42219.9 0.12060306 b v'],
    books: [
      'BTC-USDT-PERP s s10 1723161254020000000 1 [["8476.9","415"]] [["8477","7"]]',
      'BTC-USDT-PERP u 15 1723161254030000000 1 [] [["8477","0"]]',
      'BTC-USDT-PERP u 16 1723161254050000000 1 [["8476.9","1"]] []',
      'BTC-USDT-PERP g g1723161262250000000 1723161254060000000 1 [] [] update_ids_missing',
    ],
  })
  expect(await importFiles(deps, 'okx', [path])).toMatchObject([{ trades: { added: 0 }, l2_events: { added: 0 } }])
})

test('Gemini: the first message is the book, later ones change it; trades keep their event ids', async () => {
  const trade = (id: number, at: number) => ({
    type: 'trade',
    symbol: 'ETHGUSD',
    event_id: id,
    timestamp: MS + at,
    price: '9122.040',
    quantity: '0.0073173',
    side: 'sell',
  })
  const path = await recording(
    'GEMINI.ws.1.0.gz',
    'wss://api.gemini.com/v2/marketdata <- 1723161253.1: {"type":"subscribe"}',
    { type: 'heartbeat', timestamp: MS },
    {
      type: 'l2_updates',
      symbol: 'ETHGUSD',
      changes: [
        ['buy', '9122.04', '1.5'],
        ['sell', '9123', '2'],
      ],
      trades: [trade(7, 5)],
    },
    trade(7, 5),
    trade(8, 15),
    { type: 'l2_updates', symbol: 'ETHGUSD', changes: [['sell', '9123.00', '0']] },
    { type: 'l2_updates', symbol: 'ETHGUSD', changes: [['hold', '1', '0']] },
    { type: 'l2_updates', symbol: 'ETHGUSD', changes: [['buy', '9121', '1']] },
  )
  expect(await importFiles(deps, undefined, [path])).toMatchObject([
    {
      kind: 'gemini',
      instruments: ['gemini:ETH-GUSD'],
      trades: { found: 3, added: 2 },
      l2_events: { added: 3 },
      gaps: 1,
      refused: { count: 1, first: [{ line: 7, reason: 'a change is neither buy nor sell' }] },
    },
  ])
  expect(await stored()).toEqual({
    trades: [
      'gemini ETH-GUSD 7 1723161254005000000 1723161256250000000 9122.04 0.0073173 s v',
      'gemini ETH-GUSD 8 1723161254015000000 1723161258250000000 9122.04 0.0073173 s v',
    ],
    books: [
      'ETH-GUSD s s1723161256250000000 1723161256250000000 1 [["9122.04","1.5"]] [["9123","2"]]',
      'ETH-GUSD u u1723161259250000000 1723161259250000000 5 [] [["9123","0"]]',
      'ETH-GUSD g g1723161259250000000 1723161259250000000 1 [] [] rows_refused',
    ],
  })
})

test('frames of one venue are rejected as those of another', async () => {
  const okx = await recording('a.gz', okxBook({ action: 'snapshot', ids: [-1, 1], at: 1 }))
  const gemini = await recording('b.gz', { type: 'l2_updates', symbol: 'BTCUSD', changes: [], trades: [] })
  await expect(importFiles(deps, 'gemini', [okx])).rejects.toThrow('is not gemini: it looks like okx')
  await expect(importFiles(deps, 'coinbase', [gemini])).rejects.toThrow('is not coinbase: it looks like gemini')
  const mixed = await recording('c.gz', okxBook({ action: 'snapshot', ids: [-1, 1], at: 1 }), {
    type: 'l2_updates',
    symbol: 'BTCUSD',
    changes: [],
  })
  await expect(importFiles(deps, undefined, [mixed])).rejects.toThrow('is not a file that can be imported')
  const odd = await recording('d.gz', { type: 'l2_updates', symbol: 'BTCXYZ', changes: [], trades: [] })
  expect(await importFiles(deps, undefined, [odd])).toMatchObject([
    { refused: { first: [{ reason: 'the symbol BTCXYZ cannot be translated' }] } },
  ])
})
