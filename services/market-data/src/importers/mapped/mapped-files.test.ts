import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { importFiles } from '../../../test/import-files.fixture.ts'
import { createDeps } from '../../deps.ts'
import { migrations } from '../../migrations/all.ts'
import type { Tables } from '../../tables.ts'
import { type Mapping, readMapping } from './mapping.ts'

const { pool, drop } = await openTestDatabase<Tables>(migrations)
const deps = createDeps(pool, () => new Date(), 'a secret of at least 32 characters')
const folder = await mkdtemp(join(tmpdir(), 'tapeline-mapped-'))
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
    select concat_ws(' ', venue, symbol, source_id, ts_event, price, size, side, side_source) as row
    from trade join instrument using (instrument_id) order by ts_event, instrument_id, sequence`)
  return rows.map(({ row }) => row)
}

const TRADES = {
  venue: 'acme',
  records: 'trades',
  symbol: { column: 'pair', names: { 'btc,usd': 'BTC-USD', 'eth perp': 'ETH-USD-PERP' } },
  ts_event: { column: 'when', unit: 'rfc3339' },
  id: 'no',
  price: 'px',
  size: 'qty',
  side: { column: 'maker', buy: ['B'], sell: ['S'], of: 'maker' },
} satisfies Mapping

test('columns come from the mapping: quoted fields, symbols by name, the maker side inverted', async () => {
  const path = await file(
    'acme.csv',
    [
      'no,when,pair,px,qty,maker,note',
      '1,2024-08-08T23:54:14.123456789Z,"btc,usd",61837.60,0.020,B,"a ""quoted"" note"',
      '2,2024-08-08T23:54:15Z,eth perp,2500.5,1E-3,S,',
      '3,2024-08-08T23:54:16Z,doge,1,1,S,',
      '4,yesterday,eth perp,1,1,S,',
      '5,2024-08-08T23:54:16Z,eth perp,-1,1,S,',
      '6,2024-08-08T23:54:16Z,eth perp,1,1,X,',
    ].join('\n'),
  )
  const [summary] = await importFiles(deps, undefined, [path], TRADES)
  expect(summary).toMatchObject({ kind: 'csv', trades: { added: 2 } })
  expect(summary?.refused.first).toEqual([
    { line: 4, reason: 'the mapping names no symbol for doge' },
    { line: 5, reason: 'when is not an RFC 3339 time: "yesterday"' },
    { line: 6, reason: 'px is not above zero: -1' },
    { line: 7, reason: 'maker is neither a buy nor a sell: X' },
  ])
  expect(await storedTrades()).toEqual([
    'acme BTC-USD 1 1723161254123456789 61837.6 0.02 s m',
    'acme ETH-USD-PERP 2 1723161255000000000 2500.5 0.001 b m',
  ])
})

test('a file without the columns of the mapping is rejected', async () => {
  const path = await file('other.csv', 'a,b\n1,2\n')
  await expect(importFiles(deps, undefined, [path], TRADES)).rejects.toThrow('is not a file that can be imported')
  await expect(importFiles(deps, 'csv', [path], TRADES)).rejects.toThrow('is not csv')
})

test('a file without a header gets its columns from the mapping, and its trades are identified by row', async () => {
  const path = await file('plain.txt', '1723161254;61837.6;2\n1723161255;61838;3\n')
  const mapping = {
    venue: 'acme',
    records: 'trades',
    symbol: 'BTC-USD',
    delimiter: ';',
    columns: ['t', 'p', 's'],
    ts_event: { column: 't', unit: 's' },
    price: 'p',
    size: 's',
  } satisfies Mapping
  await importFiles(deps, 'csv', [path], mapping)
  expect(await importFiles(deps, 'csv', [path], mapping)).toMatchObject([{ trades: { found: 2, added: 0 } }])
  expect(await storedTrades()).toEqual([
    'acme BTC-USD row:1 1723161254000000000 61837.6 2 u n',
    'acme BTC-USD row:2 1723161255000000000 61838 3 u n',
  ])
})

test('Parquet keeps nanoseconds and decimals that a float cannot hold', async () => {
  const buffer = parquetWriteBuffer({
    schema: [
      { name: 'root', num_children: 4 },
      { name: 'when', type: 'INT64', repetition_type: 'REQUIRED' },
      { name: 'px', type: 'INT64', converted_type: 'DECIMAL', precision: 18, scale: 8, repetition_type: 'REQUIRED' },
      { name: 'qty', type: 'DOUBLE', repetition_type: 'REQUIRED' },
      { name: 'no', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'REQUIRED' },
    ],
    columnData: [
      { name: 'when', data: [1723161254123456789n, 1723161254123456790n] },
      { name: 'px', data: [900719925474099301n, 100000000n] },
      { name: 'qty', data: [0.0000001, 2] },
      { name: 'no', data: ['a', 'b'] },
    ],
  })
  const mapping = {
    venue: 'acme',
    records: 'trades',
    symbol: 'BTC-USD',
    ts_event: { column: 'when', unit: 'ns' },
    id: 'no',
    price: 'px',
    size: 'qty',
  } satisfies Mapping
  const path = await file('trades.parquet', Buffer.from(buffer))
  expect(await importFiles(deps, undefined, [path], mapping)).toMatchObject([
    { kind: 'parquet', trades: { added: 2 }, refused: { count: 0 } },
  ])
  expect(await storedTrades()).toEqual([
    'acme BTC-USD a 1723161254123456789 9007199254.74099301 0.0000001 u n',
    'acme BTC-USD b 1723161254123456790 1 2 u n',
  ])
})

test('a Parquet decimal is exact when it is stored as bytes, as pyarrow writes it', async () => {
  const px = { type: 'FIXED_LEN_BYTE_ARRAY', type_length: 16, precision: 38, scale: 8 } as const
  const buffer = parquetWriteBuffer({
    schema: [
      { name: 'root', num_children: 5 },
      { name: 'when', type: 'INT64', repetition_type: 'REQUIRED' },
      { name: 'px', converted_type: 'DECIMAL', repetition_type: 'OPTIONAL', ...px },
      {
        name: 'qty',
        type: 'BYTE_ARRAY',
        converted_type: 'DECIMAL',
        precision: 20,
        scale: 3,
        repetition_type: 'REQUIRED',
      },
      { name: 'no', type: 'FIXED_LEN_BYTE_ARRAY', type_length: 9, converted_type: 'DECIMAL', precision: 20, scale: 0 },
      { name: 'side', type: 'BYTE_ARRAY', repetition_type: 'REQUIRED' },
    ],
    columnData: [
      { name: 'when', data: [1723161254123456789n, 1723161254123456790n, 1723161254123456791n] },
      { name: 'px', data: [6_400_000_000_000n, 9_007_199_254_740_993_123_456_789n, -1n] },
      { name: 'qty', data: [1_500n, 200n, 1_000n] },
      { name: 'no', data: [7n, 2n ** 64n, 9n] },
      { name: 'side', data: ['B', 'S', 'B'].map((letter) => Buffer.from(letter)) },
    ],
  })
  const mapping = {
    venue: 'acme',
    records: 'trades',
    symbol: 'BTC-USD',
    ts_event: { column: 'when', unit: 'ns' },
    id: 'no',
    price: 'px',
    size: 'qty',
    side: { column: 'side', buy: ['B'], sell: ['S'] },
  } satisfies Mapping
  const path = await file('decimals.parquet', Buffer.from(buffer))
  const [summary] = await importFiles(deps, undefined, [path], mapping)
  expect(summary?.refused.first).toEqual([{ line: 3, reason: 'px is not above zero: -0.00000001' }])
  expect(await storedTrades()).toEqual([
    'acme BTC-USD 7 1723161254123456789 64000 1.5 b v',
    'acme BTC-USD 18446744073709551616 1723161254123456790 90071992547409931.23456789 0.2 s v',
  ])
})

test('a Parquet file without a column of the mapping is rejected before the other files of the command are stored', async () => {
  const write = (name: string, ...columns: string[]) => {
    const columnData = columns.map((column) => ({ name: column, data: [1723161254123456789n], type: 'INT64' as const }))
    return file(name, Buffer.from(parquetWriteBuffer({ columnData })))
  }
  const mapping = {
    venue: 'early',
    records: 'trades',
    symbol: 'BTC-USD',
    ts_event: { column: 'when', unit: 'ns' },
    price: 'px',
    size: 'qty',
  } satisfies Mapping
  const files = [await write('whole.parquet', 'when', 'px', 'qty'), await write('part.parquet', 'when', 'px')]
  await expect(importFiles(deps, undefined, files, mapping)).rejects.toThrow('part.parquet: has no column qty')
  const { rows } = await pool.query(`select from instrument where venue = 'early'`)
  expect(rows).toEqual([])
})

test('the instrument of a mapping keeps its terms', async () => {
  const path = await file('terms.csv', 't,bp,bs,ap,as\n1723161254000,10,1,11,2\n')
  const mapping = {
    venue: 'acme',
    records: 'quotes',
    symbol: 'GOLD-USD-20241227',
    ts_event: { column: 't', unit: 'ms' },
    bid_price: 'bp',
    bid_size: 'bs',
    ask_price: 'ap',
    ask_size: 'as',
    instrument: { tick: '0.10', multiplier: '100', size_unit: 'contract', valid_to: '2024-12-27T00:00:00Z' },
  } satisfies Mapping
  expect(await importFiles(deps, undefined, [path], mapping)).toMatchObject([{ l2_events: { added: 1 } }])
  const { rows } = await pool.query(`
    select kind, tick, multiplier, size_unit, valid_to from instrument where symbol = 'GOLD-USD-20241227'`)
  expect(rows).toEqual([
    { kind: 'dated', tick: '0.10', multiplier: '100', size_unit: 'contract', valid_to: new Date('2024-12-27') },
  ])
})

test.each([
  ['{', 'is not valid JSON'],
  ['{"venue":"acme","records":"trades"}', 'is not a valid mapping'],
  [JSON.stringify({ ...TRADES, prize: 'px' }), '/prize is not a field of a mapping'],
  [JSON.stringify({ ...TRADES, symbol: 'BTCUSD' }), 'is not a valid mapping: /symbol'],
])('%s is rejected as a mapping: %s', async (content, message) => {
  await expect(readMapping(await file('mapping.json', content))).rejects.toThrow(message)
})

test('a valid mapping is read from its file', async () => {
  expect(await readMapping(await file('good.json', JSON.stringify(TRADES)))).toEqual(TRADES)
})
