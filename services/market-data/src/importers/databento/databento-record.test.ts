import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { makeDbn } from '../../../test/dbn.fixture.ts'
import type { TradeRecord } from '../../store/record.ts'
import type { FileRun, ReadFile } from '../kind.ts'
import { csvHeader, readDatabentoCsv } from './read-databento-csv.ts'
import { readDbn } from './read-dbn.ts'

type Result = { trades: TradeRecord[]; refused: string[] }

async function read(readFile: ReadFile, content: Buffer): Promise<Result> {
  const result: Result = { trades: [], refused: [] }
  const run = {
    trade: (_instrument: unknown, trade: TradeRecord) => void result.trades.push(trade),
    refuse: (line: number, reason: string) => void result.refused.push(`${line}: ${reason}`),
    drain: async () => {},
    deps: { progress: { advance: () => {} } },
  }
  const source = { file: 'x', name: 'x', sizeBytes: content.length, open: () => Readable.from([content]) }
  // Only these parts of the run are used.
  await readFile(source, run as unknown as FileRun)
  return result
}

function csv(...rows: string[]): Buffer {
  return Buffer.from([csvHeader(0), ...rows, ''].join('\n'))
}

function row(publisher: number, flags: number, symbol: string): string {
  return `1695988800000000170,1695988800000000000,0,${publisher},7,T,A,0,16.95,5,${flags},1,11,${symbol}`
}

test('trades of futures and options are rejected, although their symbols look like those of stocks', async () => {
  const { trades, refused } = await read(
    readDatabentoCsv(0),
    csv(row(1, 128, 'ESH4'), row(101, 0, 'FDAX'), row(2, 0, 'A')),
  )
  expect(refused).toEqual([
    '2: publisher 1 has futures or options: only US stocks are imported',
    '3: publisher 101 has futures or options: only US stocks are imported',
  ])
  expect(trades).toHaveLength(1)
})

test('a receive time that Databento marks as inaccurate is flagged', async () => {
  const { trades } = await read(readDatabentoCsv(0), csv(row(2, 128, 'A'), row(2, 136, 'A')))
  expect(trades.map(({ flags }) => flags)).toEqual([1, 9])
  const start = { instrumentId: 7, tsEvent: 1_695_988_800_000_000_000n, tsRecv: 1_695_988_800_000_000_170n }
  const trade = { ...start, action: 'T', side: 'A', price: 16_950_000_000n, size: 5, sequence: 11, levels: [] }
  const rows = [trade, { ...trade, flags: 136 }]
  const bytes = makeDbn({ version: 3, dataset: 'XNAS.ITCH', schema: 'trades', symbols: { 7: 'A' }, rows })
  expect((await read(readDbn('trades'), bytes)).trades.map(({ flags }) => flags)).toEqual([1, 9])
})
