import { type DecodedArray, parquetRead } from 'hyparquet'
import { DamagedFile } from '../files/damaged-file.ts'
import { LAYOUTS } from '../files/layout.ts'
import { decompressors, openFile, readGroup } from '../files/open-file.ts'
import { createFileWriter, type WrittenFile } from '../files/write-file.ts'
import { sliceTrades } from './slice-trades.ts'
import type { TradeColumns } from './trade-columns.ts'
import { traitsOf } from './trade-traits.ts'

const { columns: COLUMNS, rowsPerGroup } = LAYOUTS.trade

/** Encodes a day of trades and verifies the file by decoding it. @throws DamagedFile if a decoded value differs */
export async function encodeTrades(columns: TradeColumns): Promise<WrittenFile> {
  const writer = createFileWriter('trade', traitsOf(columns))
  for (let from = 0; from < columns.rows; from += rowsPerGroup) {
    writer.addGroup(sliceTrades(columns, { from, to: Math.min(columns.rows, from + rowsPerGroup) }))
  }
  const written = writer.finish()
  await verify(written, columns)
  return written
}

async function verify({ bytes, tailBytes, tailSha256 }: WrittenFile, columns: TradeColumns): Promise<void> {
  const readRange = async (from: number, to: number) => bytes.slice(from, to).buffer
  const ref = { channel: 'trade', key: 'the new file', bytes: bytes.length, tailBytes, tailSha256 } as const
  const file = await openFile(ref, readRange)
  if (file.rows !== columns.rows) throw new DamagedFile(`the new file has ${file.rows} rows`)
  const { metadataOf } = await file.footer()
  for (const group of file.groups) {
    await readGroup(file, group, readRange)
    const expected = sliceTrades(columns, { from: group.firstRow, to: group.firstRow + group.rows })
    const found = new Map<string, DecodedArray[]>()
    await parquetRead({
      file: { byteLength: bytes.length, slice: (from, to) => bytes.slice(from, to).buffer },
      metadata: metadataOf(group.index),
      compressors: decompressors,
      onChunk: ({ columnName, columnData }) => {
        found.set(columnName, [...(found.get(columnName) ?? []), columnData])
      },
    })
    for (const [index, { name }] of COLUMNS.entries()) {
      if (!isSame(expected[index] ?? [], found.get(name) ?? [])) {
        throw new DamagedFile(`the new file does not contain its rows: ${name}`)
      }
    }
  }
}

function isSame(expected: DecodedArray, parts: readonly DecodedArray[]): boolean {
  let at = 0
  for (const part of parts) {
    if (!isSamePart(expected.slice(at, at + part.length), part)) return false
    at += part.length
  }
  return at === expected.length
}

function isSamePart(expected: DecodedArray, found: DecodedArray): boolean {
  if (expected instanceof BigInt64Array && found instanceof BigInt64Array) {
    return Buffer.compare(bytesOf(expected), bytesOf(found)) === 0
  }
  for (let at = 0; at < expected.length; at += 1) {
    if ((found[at] ?? null) !== expected[at]) return false
  }
  return true
}

function bytesOf({ buffer, byteOffset, byteLength }: BigInt64Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}
