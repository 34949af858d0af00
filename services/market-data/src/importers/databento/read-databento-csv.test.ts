import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { afterAll, expect, test } from 'vitest'
import { importFiles } from '../../../test/import-files.fixture.ts'
import { createDeps } from '../../deps.ts'
import { migrations } from '../../migrations/all.ts'
import type { Tables } from '../../tables.ts'

const { pool, drop } = await openTestDatabase<Tables>(migrations)
const deps = createDeps(pool, () => new Date(), 'a secret of at least 32 characters')
const folder = await mkdtemp(join(tmpdir(), 'tapeline-databento-'))
afterAll(async () => {
  await drop()
  await rm(folder, { recursive: true })
})

const COMMON =
  'ts_recv,ts_event,rtype,publisher_id,instrument_id,action,side,depth,price,size,flags,ts_in_delta,sequence'

async function file(name: string, header: string, ...rows: string[]): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, zstdCompressSync([header, ...rows, ''].join('\n')))
  return path
}

test('trades keep nanoseconds, prices in both notations and the aggressor', async () => {
  const path = await file(
    'trades.csv.zst',
    `${COMMON},symbol`,
    '2023-09-29T12:00:00.527428009Z,2023-09-29T12:00:00.527194909Z,0,19,7051,T,B,0,16.950000000,5,130,206685,11853,GME',
    '1695988800607430591,1695988800604957350,0,19,7051,T,A,0,16920000000,7,130,206685,11854,GME',
    '1695988800607430591,1695988800604957350,0,19,7051,T,N,0,9223372036854775807,7,130,206685,11855,GME',
  )
  expect(await importFiles(deps, undefined, [path])).toMatchObject([
    { kind: 'databento-trades', trades: { added: 2 }, refused: { count: 1, first: [{ line: 4 }] } },
  ])
  const { rows } = await pool.query(`
    select concat_ws(' ', symbol, source_id, ts_event, ts_recv, price, size, side, conditions) as row
    from trade join instrument using (instrument_id) order by ts_event`)
  expect(rows.map(({ row }) => row)).toEqual([
    'GME-USD 19:11853:2 1695988800527194909 1695988800527428009 16.95 5 b publisher:19',
    'GME-USD 19:11854:3 1695988800604957350 1695988800607430591 16.92 7 s publisher:19',
  ])
})

test('mbp-1 gives a trade and the book after each event', async () => {
  const path = await file(
    'mbp-1.csv.zst',
    `${COMMON},bid_px_00,ask_px_00,bid_sz_00,ask_sz_00,bid_ct_00,ask_ct_00,symbol`,
    '1695988801000000009,1695988801000000001,1,19,7051,A,B,0,16.95,5,130,1,11,16.95,16.97,5,3,1,1,PFE',
    '1695988801000000019,1695988801000000011,1,19,7051,T,A,0,16.95,5,130,1,12,,16.97,0,3,0,1,PFE',
  )
  expect(await importFiles(deps, undefined, [path])).toMatchObject([
    { kind: 'databento-mbp-1', trades: { added: 1 }, l2_events: { added: 2 }, refused: { count: 0 } },
  ])
  const { rows } = await pool.query('select bids, asks from l2_event order by ts_event')
  expect(rows).toEqual([
    { bids: '[["16.95","5"]]', asks: '[["16.97","3"]]' },
    { bids: '[]', asks: '[["16.97","3"]]' },
  ])
})
