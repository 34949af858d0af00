import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { afterAll, expect, test } from 'vitest'
import type { TradeRecord } from '../../store/record.ts'
import type { FileRun } from '../kind.ts'
import { openSource } from '../sources/open-source.ts'
import type { Mapping } from './mapping.ts'
import { readParquet } from './read-parquet.ts'

const folder = await mkdtemp(join(tmpdir(), 'tapeline-parquet-'))
afterAll(async () => rm(folder, { recursive: true }))

const MAPPING = {
  venue: 'acme',
  records: 'trades',
  symbol: 'BTC-USD',
  ts_event: { column: 'when', unit: 'ns' },
  id: 'no',
  price: 'px',
  size: 'qty',
} satisfies Mapping

async function tradesOf(content: ArrayBuffer): Promise<TradeRecord[]> {
  const path = join(folder, 'trades.parquet')
  await writeFile(path, Buffer.from(content))
  const trades: TradeRecord[] = []
  const run = {
    trade: (_instrument: unknown, trade: TradeRecord) => void trades.push(trade),
    refuse: (line: number, reason: string) => {
      throw new Error(`${line}: ${reason}`)
    },
    drain: async () => {},
    deps: { progress: { advance: () => {} } },
  }
  // Only these parts of the run are used.
  await readParquet(MAPPING, await openSource(path), run as unknown as FileRun)
  return trades
}

test('unsigned integers and single-precision floats have the value that was written', async () => {
  const content = parquetWriteBuffer({
    schema: [
      { name: 'root', num_children: 4 },
      { name: 'when', type: 'INT64', repetition_type: 'REQUIRED' },
      { name: 'no', type: 'INT32', converted_type: 'UINT_32', repetition_type: 'REQUIRED' },
      { name: 'px', type: 'FLOAT', repetition_type: 'REQUIRED' },
      { name: 'qty', type: 'FLOAT', repetition_type: 'OPTIONAL' },
    ],
    columnData: [
      { name: 'when', data: [1723161254123456789n, 1723161254123456790n] },
      { name: 'no', data: [3735683259, 7] },
      { name: 'px', data: Float32Array.from([61837.6, 0.1]) },
      { name: 'qty', data: [0.0001, 16777216] },
    ],
  })
  expect(
    (await tradesOf(content)).map(({ sourceId, tsEvent, price, size }) => [sourceId, tsEvent, price, size]),
  ).toEqual([
    ['3735683259', '1723161254123456789', '61837.6', '0.0001'],
    ['7', '1723161254123456790', '0.1', '16777216'],
  ])
})
