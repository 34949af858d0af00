import { type DecodedArray, parquetRead } from 'hyparquet'
import { LAYOUTS, type Traits } from './layout.ts'
import { type ColumnText, columnText } from './column-text.ts'
import { compactColumn, constantColumn, listBytes } from './compact-column.ts'
import { DamagedFile } from './damaged-file.ts'
import { type ColumnRange, readFlatColumn } from './flat-column.ts'
import { decompressors, type FileFooter, type Group, type OpenFile, storedColumns } from './open-file.ts'

/** Some consecutive rows of a file, decoded by column. */
export type Block = {
  rows: number
  sequences: BigInt64Array
  times: BigInt64Array
  /** By column of the layout: its text in row n, null for null. */
  columns: ColumnText[]
  traits: Traits
  /** A column as it was decoded, by its name in the file. */
  values: (name: string) => DecodedArray
  /** A column of int64 that is never null. */
  int64: (name: string) => BigInt64Array
  /** The text of a column of the layout. */
  textOf: (name: string) => ColumnText
  /** Receive times as halves of int64. */
  receiveTimes: () => Uint32Array
  /** Memory that the block uses. */
  bytes: number
}

type Range = { from: number; to: number }

/** Decodes rows of one row group; `range` counts from the group's first row. @throws DamagedFile */
export async function decodeBlock(file: OpenFile, group: Group, bytes: ArrayBuffer, range: Range): Promise<Block> {
  const columns = await decodeColumns(file, group, bytes, range)
  const required = (name: string): DecodedArray => {
    const values = columns.get(name)
    if (values === undefined) throw new DamagedFile(`${file.ref.key}: column ${name} is missing`)
    return values
  }
  const times = int64Of(required('ts_event'))
  const compacted = compact(file, columns, times)
  addConstants(file, columns, times)
  return { ...blockOf(file, range.to - range.from, required), bytes: compacted }
}

/**
 * A separate function, because everything in the scope of a closure of the block stays in memory as long as the block.
 */
async function decodeColumns(
  file: OpenFile,
  group: Group,
  bytes: ArrayBuffer,
  range: Range,
): Promise<Map<string, DecodedArray>> {
  const parts = new Map<string, Part[]>()
  try {
    const flat = readFlatColumns(file, group, { bytes, ...range, rows: group.rows })
    const others = storedColumns(file).filter((name) => !flat.has(name))
    if (others.length === 0) return flat
    const footer = await file.footer()
    for (const [name, data] of flat) parts.set(name, [{ data, ...range }])
    const slice = slicerOf(footer, group, bytes)
    await parquetRead({
      file: { byteLength: file.ref.bytes, slice: (from, to) => slice(from, to ?? from) },
      metadata: footer.metadataOf(group.index),
      columns: others,
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
  return new Map([...parts].map(([name, list]) => [name, joinParts(list, range, `${file.ref.key}: column ${name}`)]))
}

/** The columns that hyparquet need not read, by name. */
function readFlatColumns(file: OpenFile, { index }: Group, range: ColumnRange) {
  const found = new Map<string, DecodedArray>()
  for (const name of storedColumns(file)) {
    const column = file.places.of(index, name)
    const values = column && readFlatColumn(column, range)
    if (values !== undefined) found.set(name, values)
  }
  return found
}

function addConstants({ ref, traits }: OpenFile, columns: Map<string, DecodedArray>, times: BigInt64Array): void {
  for (const [name, value] of traits.constants ?? []) {
    const column = LAYOUTS[ref.channel].columns.find((one) => one.name === name)
    if (column !== undefined) columns.set(name, constantColumn(column, value, times))
  }
}

/** Memory of a block in addition to its columns. */
const BLOCK_BYTES = 4_096

/** Returns the memory of the columns. */
function compact({ ref }: OpenFile, joined: Map<string, DecodedArray>, times: BigInt64Array): number {
  const columns = new Map(LAYOUTS[ref.channel].columns.map((column) => [column.name, column]))
  let bytes = BLOCK_BYTES
  for (const [name, values] of joined) {
    const column = columns.get(name)
    if (column === undefined) {
      bytes += listBytes(values)
      continue
    }
    const one = compactColumn(column, values, times)
    joined.set(name, one.values)
    bytes += one.bytes
  }
  return bytes
}

function blockOf({ ref, traits }: OpenFile, rows: number, values: Block['values']): Omit<Block, 'bytes'> {
  const { columns } = LAYOUTS[ref.channel]
  const times = int64Of(values('ts_event'))
  const texts = columns.map((column) => columnText(column, values, { times, traits }))
  const integers = new Map([['ts_event', times]])
  const int64 = (name: string) => {
    const column = integers.get(name) ?? int64Of(values(name))
    integers.set(name, column)
    return column
  }
  return {
    rows,
    sequences: int64('sequence'),
    times,
    int64,
    columns: texts,
    traits,
    values,
    textOf: (name) => texts[columns.findIndex((column) => column.name === name)] ?? (() => null),
    receiveTimes() {
      const { buffer, byteOffset, length } = int64('ts_recv')
      return new Uint32Array(buffer, byteOffset, 2 * length)
    },
  }
}

/** hyparquet requests page indexes, which are in the tail, and pages, which are in the group. */
function slicerOf({ tail, tailFrom }: FileFooter, group: Group, bytes: ArrayBuffer) {
  return (from: number, to: number): ArrayBuffer =>
    from >= tailFrom ? tail.slice(from - tailFrom, to - tailFrom) : bytes.slice(from - group.from, to - group.from)
}

type Part = Range & { data: DecodedArray }

/** Page boundaries differ from block boundaries. */
function joinParts(parts: Part[], range: Range, what: string): DecodedArray {
  const inOrder = parts.toSorted((one, other) => one.from - other.from)
  const slices = inOrder.flatMap(({ data, from, to }) =>
    to <= range.from || from >= range.to
      ? []
      : [data.slice(Math.max(0, range.from - from), Math.min(to, range.to) - from)],
  )
  const [first] = slices
  if (first === undefined) throw new DamagedFile(`${what} is missing`)
  const joined = slices.length === 1 ? first : joinArrays(slices)
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
