import { expect, test } from 'vitest'
import { refOf, writeRows } from '../../../test/lake/file-in-memory.fixture.ts'
import { someL2Rows, someTradeRows } from '../../../test/lake/some-rows.fixture.ts'
import type { FileRow } from '../files/layout.ts'
import type { ChannelName } from '../../tables.ts'
import { createFileReader } from './file-reader.ts'

const MEMORY_BYTES = 8 * 1024 * 1024
const INT64_MAX = 2n ** 63n - 1n

/** A reader of one file, and the ranges that it has read. */
function readerOf(channel: ChannelName, rows: readonly FileRow[]) {
  const written = writeRows(channel, rows)
  const ref = refOf(channel, written)
  const ranges: { from: number; to: number }[] = []
  const getRange = async (_key: string, from: number, to: number) => {
    ranges.push({ from, to })
    return written.bytes.slice(from, to).buffer
  }
  const unused = () => Promise.reject(new Error('only ranges are read'))
  const store = { getRange, head: unused, list: unused, putIfAbsent: unused, delete: unused }
  const tails = () => ranges.filter(({ to }) => to === ref.bytes).length
  return { reader: createFileReader(store, MEMORY_BYTES), ref, tails }
}

async function textsOf({ reader, ref }: ReturnType<typeof readerOf>): Promise<FileRow[]> {
  const file = await reader.open(ref)
  const rows: FileRow[] = []
  for (let index = 0; index < file.blockKeys.length / 2; index += 1) {
    const block = await reader.block(file, index)
    for (let at = 0; at < block.rows; at += 1) rows.push(block.columns.map((text) => text(at)))
  }
  return rows
}

/** Trades as most venues have them: without flags and conditions, all with or all without a time of receipt. */
function plainTrades(count: number, isReceived: boolean): FileRow[] {
  return someTradeRows(count).map((row) => {
    const received = isReceived ? String(BigInt(row[1] ?? '') + 1n) : (row[1] ?? '')
    return row.with(2, received).with(3, '0').with(10, null)
  })
}

test.each([
  ['trades', 'trade', plainTrades(20_000, true)],
  ['trades received at their time', 'trade', plainTrades(20_000, false)],
  ['trades with nulls', 'trade', someTradeRows(20_000)],
  ['book events', 'l2_event', someL2Rows(5_000, 3)],
] as const)('%s: the footer of a file is read once', async (_case, channel, rows) => {
  const one = readerOf(channel, rows)
  expect(await textsOf(one)).toEqual(rows)
  expect(one.tails()).toBe(1)
})

test('a column that needs the footer reads it again', async () => {
  // The times of the two halves are too far apart for the fast decoder.
  const far = plainTrades(200, true).map((row, at) => {
    const time = BigInt(at) + (at < 100 ? 0n : INT64_MAX - 300n)
    return row.with(1, String(time)).with(2, String(time + 1n))
  })
  const one = readerOf('trade', far)
  expect(await textsOf(one)).toEqual(far)
  expect(one.tails()).toBe(2)
})
