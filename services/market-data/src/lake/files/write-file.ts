import { constants, crc32, zstdCompressSync } from 'node:zlib'
import { createHash } from 'node:crypto'
import type { DecodedArray } from 'hyparquet'
import { ByteWriter, type ColumnSource, ParquetWriter } from 'hyparquet-writer'
import type { ChannelName } from '../../tables.ts'
import { columnSource, createColumnBuffer } from './column-buffers.ts'
import { AT, type FileNotes, type FileRow, LAYOUTS, NOTES_KEY, type Traits } from './layout.ts'

/** A complete file. The tail is everything after the row groups: page indexes and footer. */
export type WrittenFile = {
  bytes: Uint8Array<ArrayBuffer>
  rows: number
  sha256: string
  tailBytes: number
  tailSha256: string
}

/** 2,048 INT64 values: one byte less and a page would end a value earlier. */
const PAGE_BYTES = 16_392
const ZSTD_LEVEL = 3
const PARAMS = { [constants.ZSTD_c_compressionLevel]: ZSTD_LEVEL }
const compressors = { ZSTD: (bytes: Uint8Array) => zstdCompressSync(bytes, { params: PARAMS }) }

/**
 * Writes rows in the order (ts_event, sequence). The same rows give the same bytes: the file contains no timestamps or
 * random values.
 */
export function createFileWriter(channel: ChannelName, traits: Traits) {
  const { columns, rowsPerGroup, rowsPerBlock } = LAYOUTS[channel]
  const buffers = columns.map((column) => createColumnBuffer(column, rowsPerGroup, traits))
  const topLevel = buffers.flatMap(({ schema }) => schema)
  const rootChildren = columns.length + countPairs(buffers)
  const bytes = new ByteWriter()
  const schema = [{ name: 'root', num_children: rootChildren }, ...topLevel]
  const writer = new ParquetWriter({ writer: bytes, schema, codec: 'ZSTD', compressors, createdBy: 'tapeline' })
  const groupChecksums: number[] = []
  const blockKeys: string[] = []
  let rows = 0
  let groupRows = 0

  function writeGroup(columnData: ColumnSource[]): void {
    const from = bytes.offset
    void writer.write({ columnData, rowGroupSize: rowsPerGroup, pageSize: PAGE_BYTES })
    groupChecksums.push(crc32(bytes.getBytes().subarray(from)))
    groupRows = 0
  }

  const endGroup = () => writeGroup(buffers.flatMap((buffer) => buffer.take()))

  return {
    add(row: FileRow): void {
      if (groupRows % rowsPerBlock === 0) blockKeys.push(row[AT.tsEvent] ?? '', row[AT.sequence] ?? '')
      for (const [index, buffer] of buffers.entries()) buffer.push(row[index] ?? null, row)
      rows += 1
      groupRows += 1
      if (groupRows === rowsPerGroup) endGroup()
    },
    /** A whole row group by column of the layout; only the last one may have fewer rows than a group. */
    addGroup(values: readonly DecodedArray[]): void {
      const [times, sequences] = [values[AT.tsEvent] ?? [], values[AT.sequence] ?? []]
      for (let at = 0; at < times.length; at += rowsPerBlock) blockKeys.push(String(times[at]), String(sequences[at]))
      rows += times.length
      writeGroup(columns.map((column, index) => columnSource(column, values[index] ?? [])))
    },
    finish(): WrittenFile {
      if (groupRows > 0) endGroup()
      const tailFrom = bytes.offset
      writer.kvMetadata = notesOf(channel, traits, { groupChecksums, blockKeys })
      void writer.finish()
      const all = bytes.getBytes()
      const tail = all.subarray(tailFrom)
      return { bytes: all, rows, sha256: sha256(all), tailBytes: tail.length, tailSha256: sha256(tail) }
    },
  }
}

/** A levels column of numbers is two columns of the schema. */
function countPairs(buffers: readonly { schema: unknown[] }[]): number {
  return buffers.filter(({ schema }) => schema.length > 1).length
}

type Parts = { groupChecksums: number[]; blockKeys: string[] }

function notesOf(channel: ChannelName, traits: Traits, { groupChecksums, blockKeys }: Parts) {
  const keys = BigInt64Array.from(blockKeys, BigInt)
  const notes: FileNotes = {
    layout: LAYOUTS[channel].name,
    traits: {
      priceScale: traits.priceScale ?? null,
      sizeScale: traits.sizeScale ?? null,
      hasNumericIds: traits.hasNumericIds,
    },
    constants: Object.fromEntries(traits.constants ?? []),
    groupChecksums,
    blockKeys: Buffer.from(keys.buffer).toString('base64'),
  }
  return [
    { key: 'layout', value: notes.layout },
    { key: NOTES_KEY, value: JSON.stringify(notes) },
  ]
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
