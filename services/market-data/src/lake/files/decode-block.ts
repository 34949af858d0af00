import { type DecodedArray, parquetRead } from 'hyparquet'
import { LAYOUTS } from './layout.ts'
import { type ColumnText, columnText } from './column-text.ts'
import { DamagedFile } from './damaged-file.ts'
import { decompressors, type Group, type OpenFile } from './open-file.ts'

/** Some consecutive rows of a file, decoded by column. */
export type Block = {
  rows: number
  sequences: BigInt64Array
  times: BigInt64Array
  /** By column of the layout: its text in row n, null for null. */
  columns: ColumnText[]
}

type Range = { from: number; to: number }

/** Decodes rows of one row group; `range` counts from the group's first row. */
export async function decodeBlock(file: OpenFile, group: Group, bytes: ArrayBuffer, range: Range): Promise<Block> {
  const parts = new Map<string, Part[]>()
  try {
    await parquetRead({
      file: { byteLength: file.ref.bytes, slice: (from, to) => sliceOf(file, group, bytes, { from, to: to ?? from }) },
      metadata: group.metadata,
      compressors: decompressors,
      rowStart: range.from,
      rowEnd: range.to,
      useOffsetIndex: true,
      onChunk: ({ columnName, columnData, rowStart, rowEnd }) => {
        const part = { data: columnData, from: rowStart, to: rowEnd }
        parts.set(columnName, [...(parts.get(columnName) ?? []), part])
      },
    })
  } catch (error) {
    throw new DamagedFile(`${file.ref.key}: cannot be decoded`, error)
  }
  const columnOf = (name: string) => joinParts(parts.get(name) ?? [], range, `${file.ref.key}: column ${name}`)
  const times = int64Of(columnOf('ts_event'))
  return {
    rows: range.to - range.from,
    sequences: int64Of(columnOf('sequence')),
    times,
    columns: LAYOUTS[file.ref.channel].columns.map((column) =>
      columnText(column, columnOf, { times, traits: file.traits }),
    ),
  }
}

/** The reader asks for page indexes, which are in the tail, and for pages, which are in the group. */
function sliceOf(file: OpenFile, group: Group, bytes: ArrayBuffer, { from, to }: Range): ArrayBuffer {
  if (from >= file.tailFrom) return file.tail.slice(from - file.tailFrom, to - file.tailFrom)
  return bytes.slice(from - group.from, to - group.from)
}

type Part = Range & { data: DecodedArray }

/** Pages do not end where blocks do. */
function joinParts(parts: Part[], range: Range, what: string): DecodedArray {
  const inOrder = parts.toSorted((one, other) => one.from - other.from)
  const wanted = inOrder.flatMap(({ data, from, to }) =>
    to <= range.from || from >= range.to
      ? []
      : [data.slice(Math.max(0, range.from - from), Math.min(to, range.to) - from)],
  )
  const [first] = wanted
  if (first === undefined) throw new DamagedFile(`${what} is missing`)
  const joined = wanted.length === 1 ? first : joinArrays(wanted)
  if (joined.length !== range.to - range.from) throw new DamagedFile(`${what} has ${joined.length} values`)
  return joined
}

function joinArrays(arrays: DecodedArray[]): DecodedArray {
  if (!arrays.every((array) => array instanceof BigInt64Array)) return arrays.flatMap((array) => [...array])
  const joined = new BigInt64Array(arrays.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const array of arrays) {
    joined.set(array, at)
    at += array.length
  }
  return joined
}

function int64Of(data: DecodedArray): BigInt64Array {
  return data instanceof BigInt64Array ? data : BigInt64Array.from(data, BigInt)
}
