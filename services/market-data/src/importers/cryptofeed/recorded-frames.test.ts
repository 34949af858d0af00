import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32, gunzipSync, gzipSync } from 'node:zlib'
import { readFileSync } from 'node:fs'
import { NO_RECORDINGS, recording } from '@tapeline/testing/recordings'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { importFiles } from '../../../test/import-files.fixture.ts'
import { createDeps } from '../../deps.ts'
import { migrations } from '../../migrations/all.ts'
import type { Tables } from '../../tables.ts'
import { createKrakenBook } from '../../venues/kraken/kraken-book.ts'

const kraken = recording('kraken', 'KRAKEN.ws.50.0.gz') ?? ''
const coinbase = recording('coinbase', 'COINBASE.ws.28.0.gz') ?? ''
const hasRecordings = kraken !== '' && coinbase !== ''
const TIMEOUT_MS = 300_000
const { pool, drop } = await openTestDatabase<Tables>(migrations)
const deps = createDeps(pool, () => new Date(), 'a secret of at least 32 characters')
const folder = await mkdtemp(join(tmpdir(), 'tapeline-frames-'))
afterAll(async () => {
  await drop()
  await rm(folder, { recursive: true })
})
beforeEach(async () => void (await pool.query('truncate trade, l2_event')))

if (!hasRecordings) test.skip(NO_RECORDINGS, () => {})

async function file(name: string, ...lines: string[]): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, gzipSync([...lines, '', ''].join('\n')))
  return path
}

test.skipIf(!hasRecordings)(
  'every Kraken update agrees with its checksum, and a second import adds nothing',
  async () => {
    const [summary] = await importFiles(deps, undefined, [kraken])
    expect(summary).toMatchObject({
      kind: 'kraken',
      l2_events: { found: 4_279, added: 4_279 },
      gaps: 0,
      refused: { count: 0 },
      notes: [],
    })
    expect(summary?.instruments).toHaveLength(10)
    expect(summary?.instruments).toContain('kraken:KSM-BTC')
    expect(await importFiles(deps, 'kraken', [kraken])).toMatchObject([{ l2_events: { found: 4_279, added: 0 } }])
  },
  TIMEOUT_MS,
)

test.skipIf(!hasRecordings)(
  'a lost Kraken update is found by the checksum of a later one',
  async () => {
    const lines = gunzipSync(readFileSync(kraken)).toString().split('\n')
    const update = lines.findIndex((line, index) => index > 1_000 && line.includes('"book-1000","XMR/USD"'))
    const path = await file('lossy.gz', ...lines.filter((_line, index) => index !== update))
    expect(await importFiles(deps, undefined, [path])).toMatchObject([{ gaps: 1 }])
  },
  TIMEOUT_MS,
)

test.skipIf(!hasRecordings)(
  'Coinbase matches, snapshots and updates are complete; the taker is on the other side of the maker',
  async () => {
    const [summary] = await importFiles(deps, undefined, [coinbase])
    expect(summary).toMatchObject({
      kind: 'coinbase',
      trades: { found: 107, added: 107 },
      l2_events: { found: 9_729, added: 9_729 },
      refused: { count: 0 },
      notes: [],
    })
    const sides = new Map<string, string>()
    for (const line of gunzipSync(readFileSync(coinbase)).toString().split('\n')) {
      const [, id, side] = /"type":"ticker".*"product_id":"([^"]+)".*"side":"(\w+)"/.exec(line) ?? []
      const trade = /"trade_id":(\d+)/.exec(line)?.[1]
      if (id !== undefined && side !== undefined) sides.set(`${id} ${trade}`, side)
    }
    const { rows } = await pool.query<{ id: string; side: string }>(`
      select venue_symbol || ' ' || source_id as id, case side when 'b' then 'buy' else 'sell' end as side
      from trade join instrument using (instrument_id)`)
    expect(rows.filter(({ id, side }) => sides.get(id) === side)).toHaveLength(107)
  },
  TIMEOUT_MS,
)

test('asks and bids of one Kraken message may come as two objects; a wrong checksum makes a gap', async () => {
  const level = (price: string, size: string, at: number) => [price, size, `1618678133.36591${at}`]
  const frame = (at: number, ...parts: unknown[]) =>
    `161867813${at}.3858151: ${JSON.stringify([464, ...parts, 'book-10', 'XBT/USD'])}`
  const path = await file(
    'kraken.gz',
    'wss://ws.kraken.com <-> 1618678132.3858151',
    frame(3, { as: [level('2.00', '1.0', 0)], bs: [level('1.00', '1.0', 0)] }),
    frame(4, { a: [level('2.00', '0.0', 1), level('3.00', '1.5', 1)] }, { b: [level('1.50', '2.0', 2)] }),
    frame(5, { a: [level('4.00', '1.5', 3)], c: '1' }),
    frame(6, { b: [level('1.60', '1.5', 4)] }),
  )
  await importFiles(deps, 'kraken', [path])
  const { rows } = await pool.query(`
    select concat_ws(' ', symbol, type, ts_event, ts_recv, bids, asks, gap_reason) as row
    from l2_event join instrument using (instrument_id) order by ts_event, sequence`)
  expect(rows.map(({ row }) => row)).toEqual([
    'BTC-USD s 1618678133365910000 1618678133385815100 [["1","1"]] [["2","1"]]',
    'BTC-USD u 1618678133365912000 1618678134385815100 [["1.5","2"]] [["2","0"],["3","1.5"]]',
    'BTC-USD g 1618678133365913000 1618678135385815100 [] [] checksum_mismatch',
  ])
})

test('a Coinbase update without a valid time has the last valid one; an unreadable line makes a gap', async () => {
  const update = (time: string) =>
    JSON.stringify({ type: 'l2update', product_id: 'BTC-USD', changes: [['buy', '1', '2']], time })
  const path = await file(
    'coinbase.gz',
    `1618677816.1: ${update('2021-04-17T16:43:35Z')}`,
    `1618677817.1: ${JSON.stringify({ type: 'snapshot', product_id: 'BTC-USD', bids: [['1', '1']], asks: [] })}`,
    `1618677818.1: ${update('2021-04-17T16:43:38.5Z')}`,
    `1618677819.1: ${update('0001-01-01T00:00:00.000000Z')}`,
    '1618677820.1: {"type":"l2upd',
    `1618677821.1: ${update('2021-04-17T16:43:41Z')}`,
  )
  expect(await importFiles(deps, 'coinbase', [path])).toMatchObject([
    { l2_events: { added: 4 }, gaps: 1, notes: ['BTC-USD: 2 updates without a snapshot before them were not stored'] },
  ])
  const { rows } = await pool.query(`select type, ts_event, flags from l2_event order by ts_recv, sequence`)
  expect(rows).toEqual([
    { type: 's', ts_event: '1618677817100000000', flags: 1 },
    { type: 'u', ts_event: '1618677818500000000', flags: 1 },
    { type: 'u', ts_event: '1618677818500000000', flags: 5 },
    { type: 'g', ts_event: '1618677818500000000', flags: 1 },
  ])
})

test('levels beyond the subscribed depth leave the book without a removal by the venue', () => {
  const book = createKrakenBook(2)
  book.apply('a', [
    ['3.0', '1.0'],
    ['2.0', '1.5'],
  ])
  book.apply('a', [['1.0', '0.5']])
  book.apply('b', [['0.9', '4.0']])
  book.apply('a', [['2.0', '0.0']])
  expect(book.checksum()).toBe(crc32('10' + '5' + '9' + '40'))
})

test('Kraken trades have the side of the taker', async () => {
  const trades = [
    ['5541.20000', '0.15850568', '1534614057.321597', 's', 'l', ''],
    ['6060.00000', '0.02455000', '1534614057.324998', 'b', 'l', ''],
  ]
  const path = await file('kraken-trades.gz', `1534614058.1: ${JSON.stringify([0, trades, 'trade', 'XBT/USD'])}`)
  expect(await importFiles(deps, undefined, [path])).toMatchObject([{ kind: 'kraken', trades: { added: 2 } }])
  const { rows } = await pool.query('select ts_event, price, size, side from trade order by ts_event')
  expect(rows).toEqual([
    { ts_event: '1534614057321597000', price: '5541.2', size: '0.15850568', side: 's' },
    { ts_event: '1534614057324998000', price: '6060', size: '0.02455', side: 'b' },
  ])
})
