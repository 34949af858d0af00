import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { afterAll, expect, test } from 'vitest'
import { type DbnFile, type DbnRow, makeDbn, NO_PRICE } from '../../../test/dbn.fixture.ts'
import { importFiles } from '../../../test/import-files.fixture.ts'
import { createDeps } from '../../deps.ts'
import { fromUnits } from '../../decimal-units.ts'
import { migrations } from '../../migrations/all.ts'
import type { Tables } from '../../tables.ts'
import { csvHeader } from './read-databento-csv.ts'

const { pool, drop } = await openTestDatabase<Tables>(migrations)
const deps = createDeps(pool, () => new Date(), 'a secret of at least 32 characters')
const folder = await mkdtemp(join(tmpdir(), 'tapeline-dbn-'))
afterAll(async () => {
  await drop()
  await rm(folder, { recursive: true })
})

const START = 1_695_988_800_000_000_000n
const ROWS = 40

function rowsOf(count: number, instrumentId = 7): DbnRow[] {
  return Array.from({ length: count }, (_value, index) => ({
    instrumentId,
    tsEvent: START + BigInt(index * 1_000),
    tsRecv: START + BigInt(index * 1_000 + 170),
    action: index % 3 === 0 ? 'T' : 'A',
    side: ['A', 'B', 'N'][index % 3] ?? 'N',
    price: 16_950_000_000n + BigInt(index) * 10_000_000n,
    size: index + 1,
    sequence: 900 + index,
    levels: Array.from({ length: 1 + (index % 10) }, (_level, level) => ({
      bid: 16_940_000_000n - BigInt(level) * 10_000_000n,
      ask: 16_960_000_000n + BigInt(level) * 10_000_000n,
      bidSize: level + 1,
      askSize: level + 2,
    })),
  }))
}

async function write(name: string, bytes: Buffer | string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, bytes)
  return path
}

/** The same records as Databento's CSV has them. */
function csvOf({ rows, symbols }: DbnFile, depth: 0 | 1 | 10): string {
  const price = (units: bigint) => (units === NO_PRICE ? '' : fromUnits(units, 9).replace(/^(\d+)$/, '$1.0'))
  const lines = rows.map((row) => {
    const levels = Array.from({ length: depth }, (_value, level) => {
      const { bid = NO_PRICE, ask = NO_PRICE, bidSize = 0, askSize = 0 } = row.levels[level] ?? {}
      return [price(bid), price(ask), bidSize, askSize, 1, 1]
    })
    const start = [row.tsRecv, row.tsEvent, depth, 2, row.instrumentId, row.action, row.side, 0, price(row.price)]
    return [...start, row.size, 130, 1, row.sequence, ...levels.flat(), symbols[row.instrumentId]].join(',')
  })
  return `${[csvHeader(depth), ...lines].join('\n')}\n`
}

async function recordsOf(symbol: string): Promise<unknown[]> {
  const { rows } = await pool.query({
    text: `select ts_event, ts_recv, source_id, price::text as one, size::text as two, side::text as three, conditions
           from trade join instrument using (instrument_id) where symbol = $1
           union all
           select ts_event, ts_recv, source_id, bids, asks, type::text, depth_limit::text
           from l2_event join instrument using (instrument_id) where symbol = $1
           order by ts_event, one`,
    values: [symbol],
  })
  return rows
}

const SCHEMAS = { trades: 0, 'mbp-1': 1, 'mbp-10': 10 } as const

test.each([
  ['trades', 1],
  ['mbp-1', 2],
  ['mbp-10', 3],
  ['mbp-10', 1],
  ['mbp-1', 3],
] as const)(
  '%s of DBN version %i has the records of the same data as CSV, with the same ids',
  async (schema, version) => {
    const depth = SCHEMAS[schema]
    const name = `${schema.toUpperCase().replace('-', '')}V${version}`
    const file: DbnFile = {
      version,
      dataset: 'XNAS.ITCH',
      schema,
      symbols: { 7: `${name}.D`, 8: 'X' },
      rows: rowsOf(ROWS),
    }
    const added = { trades: { added: 14 }, l2_events: { added: depth === 0 ? 0 : ROWS }, refused: { count: 0 } }
    const packed = await write(`${name}.dbn.zst`, zstdCompressSync(makeDbn(file)))
    expect(await importFiles(deps, undefined, [packed])).toMatchObject([{ kind: `dbn-${schema}`, ...added }])
    const csv = await write(`${name}.csv`, csvOf(file, depth))
    expect(await importFiles(deps, undefined, [csv])).toMatchObject([
      { kind: `databento-${schema}`, trades: { found: 14, added: 0 }, l2_events: { added: 0 }, refused: { count: 0 } },
    ])
    const other = await write(`${name}-other.csv`, csvOf({ ...file, symbols: { 7: `${name}.C` } }, depth))
    expect(await importFiles(deps, undefined, [other])).toMatchObject([added])
    const records = await recordsOf(`${name}.D-USD`)
    expect(records).toHaveLength(14 + (depth === 0 ? 0 : ROWS))
    expect(records).toEqual(await recordsOf(`${name}.C-USD`))
  },
)

test('a record without a symbol or with an unknown side is rejected with its number, the others are stored', async () => {
  const [first, second, third] = rowsOf(3)
  if (first === undefined || second === undefined || third === undefined) throw new Error('there are no rows')
  const rows = [
    { ...first, instrumentId: 99 },
    { ...second, action: 'T', side: 'Q' },
    { ...third, action: 'T', tsRecv: 0xffff_ffff_ffff_ffffn },
  ]
  const bytes = makeDbn({ version: 2, dataset: 'DBEQ.BASIC', schema: 'trades', symbols: { 7: 'REF' }, rows })
  expect(await importFiles(deps, undefined, [await write('refused.dbn', bytes)])).toMatchObject([
    {
      trades: { added: 1 },
      refused: {
        count: 2,
        first: [
          { line: 1, reason: 'the file names no symbol for instrument 99' },
          { line: 2, reason: 'side is not A, B or N: Q' },
        ],
      },
    },
  ])
  const { rows: stored } = await pool.query(`select ts_recv = ts_event as same, flags from trade
    join instrument using (instrument_id) where symbol = 'REF-USD'`)
  expect(stored).toEqual([{ same: true, flags: 9 }])
})

test('a file that is truncated, of another dataset or of another schema is rejected', async () => {
  const file: DbnFile = { version: 3, dataset: 'XNAS.ITCH', schema: 'mbp-1', symbols: { 7: 'CUT' }, rows: rowsOf(5) }
  const whole = makeDbn(file)
  const cut = await write('cut.dbn', whole.subarray(0, -30))
  await expect(importFiles(deps, undefined, [cut])).rejects.toThrow('cut.dbn: ends within record 5')
  const start = await write('start.dbn', whole.subarray(0, 60))
  await expect(importFiles(deps, undefined, [start])).rejects.toThrow('ends within record 1')
  const futures = await write('futures.dbn', makeDbn({ ...file, dataset: 'GLBX.MDP3' }))
  await expect(importFiles(deps, undefined, [futures])).rejects.toThrow('GLBX.MDP3: only US stocks are imported')
  const bars = Buffer.from(whole)
  bars.writeUInt16LE(7, 24)
  await expect(importFiles(deps, undefined, [await write('bars.dbn', bars)])).rejects.toThrow(
    'is not a file that can be imported',
  )
  await expect(importFiles(deps, 'dbn-trades', [cut])).rejects.toThrow('it looks like dbn-mbp-1')
})
