import type { SchemaElement } from 'hyparquet'
import type { FooterParts } from './footer-parts.ts'
import { forEachField, readInteger, readListHead, skip, type ThriftPlace } from './thrift.ts'

/** Positions of the pages of one column of a row group. Bytes and rows count from the beginning of the group. */
export type ColumnPlaces = {
  type: ColumnType
  dictionary: { from: number; to: number } | undefined
  /** In the order of their rows; the end of a page is the beginning of the next one. */
  pages: readonly { from: number; to: number; firstRow: number }[]
}

/** The pages of all columns without nulls and lists. Packed, because a reader keeps those of many files. */
export type PagePlaces = {
  names: ReadonlySet<string>
  of: (group: number, name: string) => ColumnPlaces | undefined
  bytes: number
}

export type PlacesSource = {
  footer: Uint8Array
  parts: FooterParts
  schema: readonly SchemaElement[]
  /** Columns that are not needed. */
  without: { has: (name: string) => boolean }
  /** Offset of each row group in the file. */
  groupStarts: readonly number[]
  /** The page indexes, at `tailFrom` in the file. */
  tail: Uint8Array
  tailFrom: number
}

type ColumnType = 'INT64' | 'BYTE_ARRAY'
type Leaf = { name: string; type: ColumnType }

/** parquet.thrift */
const GROUP_COLUMNS = 1
const CHUNK = { metadata: 3, indexAt: 4, indexBytes: 5 }
const COLUMN = { codec: 4, bytes: 7, dataAt: 9, dictionaryAt: 11 }
const ZSTD = 6
const PAGES = 1
const PAGE = { at: 1, bytes: 2, firstRow: 3 }

/** Beside its words: no dictionary, and pages of different numbers of rows. */
const NONE = 0xffff_ffff
const UNEVEN = 0
const HEAD_WORDS = 3

/** Throws a RangeError for bytes that are not a footer. */
export function findPagePlaces(source: PlacesSource): PagePlaces {
  const leaves = leavesOf(source.schema).map((leaf) => (source.without.has(leaf?.name ?? '') ? undefined : leaf))
  const unreadable = new Set<string>()
  const words: number[] = []
  const starts: number[] = []
  for (const [group, part] of source.parts.groups.entries()) {
    const groupStart = source.groupStarts[group] ?? 0
    for (const [index, chunk] of chunksOf(source.footer, part.from, leaves).entries()) {
      const leaf = leaves[index]
      if (leaf === undefined || chunk === undefined) continue
      starts.push(words.length)
      if (!packChunk(words, source, { leaf, chunk, groupStart })) unreadable.add(leaf.name)
    }
  }
  const flat = leaves.filter((leaf) => leaf !== undefined)
  return packed(flat, unreadable, { words: Uint32Array.from(words), starts: Uint32Array.from(starts) })
}

type Packed = { words: Uint32Array; starts: Uint32Array }

function packed(flat: readonly Leaf[], unreadable: ReadonlySet<string>, { words, starts }: Packed): PagePlaces {
  const names = new Set(flat.map(({ name }) => name).filter((name) => !unreadable.has(name)))
  return {
    names,
    bytes: words.byteLength + starts.byteLength,
    of(group, name) {
      const index = flat.findIndex((leaf) => leaf.name === name)
      const start = starts[group * flat.length + index]
      const type = flat[index]?.type
      return start === undefined || type === undefined || !names.has(name) ? undefined : unpack(words, start, type)
    },
  }
}

function unpack(words: Uint32Array, start: number, type: ColumnType): ColumnPlaces {
  const [dictionaryFrom = NONE, rowsPerPage = UNEVEN, count = 0] = words.subarray(start, start + HEAD_WORDS)
  const from = start + HEAD_WORDS
  const pages = Array.from({ length: count }, (_page, n) => ({
    from: words[from + n] ?? 0,
    to: words[from + n + 1] ?? 0,
    firstRow: rowsPerPage === UNEVEN ? (words[from + count + 1 + n] ?? 0) : n * rowsPerPage,
  }))
  const dictionary = dictionaryFrom === NONE ? undefined : { from: dictionaryFrom, to: words[from] ?? 0 }
  return { type, dictionary, pages }
}

/** By column of the schema; undefined for one with nulls, lists or values of another type. */
function leavesOf(schema: readonly SchemaElement[]): (Leaf | undefined)[] {
  const leaves: (Leaf | undefined)[] = []
  let inside = 0
  for (const { name, type, repetition_type: repetition, num_children: children = 0 } of schema.slice(1)) {
    const isNested = inside > 0
    inside = Math.max(0, inside - 1) + children
    if (children > 0) continue
    const isFlat = !isNested && repetition === 'REQUIRED' && (type === 'INT64' || type === 'BYTE_ARRAY')
    leaves.push(isFlat ? { name, type } : undefined)
  }
  return leaves
}

type Chunk = {
  codec: number
  bytes: number
  dataAt: number
  /** -1 where there is none. */
  dictionaryAt: number
  indexAt: number
  indexBytes: number
}

function chunksOf(footer: Uint8Array, from: number, leaves: readonly unknown[]): (Chunk | undefined)[] {
  const place = { bytes: footer, at: from }
  const chunks: (Chunk | undefined)[] = []
  forEachField(place, (field, type) => {
    if (field !== GROUP_COLUMNS) {
      skip(place, type)
      return
    }
    const list = readListHead(place)
    for (let index = 0; index < list.length; index += 1) {
      if (leaves[index] === undefined) {
        skip(place, list.type)
        chunks.push(undefined)
      } else chunks.push(readChunk(place))
    }
  })
  return chunks
}

function readChunk(place: ThriftPlace): Chunk {
  const chunk: Chunk = { codec: -1, bytes: 0, dataAt: 0, dictionaryAt: -1, indexAt: -1, indexBytes: 0 }
  forEachField(place, (field, type) => {
    if (field === CHUNK.metadata) readColumn(place, chunk)
    else if (field === CHUNK.indexAt) chunk.indexAt = readInteger(place)
    else if (field === CHUNK.indexBytes) chunk.indexBytes = readInteger(place)
    else skip(place, type)
  })
  return chunk
}

function readColumn(place: ThriftPlace, chunk: Chunk): void {
  forEachField(place, (field, type) => {
    if (field === COLUMN.codec) chunk.codec = readInteger(place)
    else if (field === COLUMN.bytes) chunk.bytes = readInteger(place)
    else if (field === COLUMN.dataAt) chunk.dataAt = readInteger(place)
    else if (field === COLUMN.dictionaryAt) chunk.dictionaryAt = readInteger(place)
    else skip(place, type)
  })
}

type ChunkOfGroup = { leaf: Leaf; chunk: Chunk; groupStart: number }

/** False if the column is compressed or encoded in another way than `flat-column.ts` reads. */
function packChunk(words: number[], source: PlacesSource, { leaf, chunk, groupStart }: ChunkOfGroup): boolean {
  const pages = pagesOf(chunk, source)
  const hasDictionary = chunk.dictionaryAt !== -1
  const rowsPerPage = rowsPerPageOf(pages)
  words.push(hasDictionary ? chunk.dictionaryAt - groupStart : NONE, rowsPerPage, pages.length)
  for (const { at } of pages) words.push(at - groupStart)
  words.push(endOf(pages.at(-1)) - groupStart)
  if (rowsPerPage === UNEVEN) for (const { firstRow } of pages) words.push(firstRow)
  return chunk.codec === ZSTD && (leaf.type === 'INT64' || hasDictionary) && areAdjacent(pages)
}

function rowsPerPageOf(pages: readonly PageAt[]): number {
  const rows = pages[1]?.firstRow ?? 1
  return pages.every(({ firstRow }, page) => firstRow === page * rows) ? rows : UNEVEN
}

function areAdjacent(pages: readonly PageAt[]): boolean {
  return pages.every((page, index) => index === 0 || endOf(pages[index - 1]) === page.at)
}

function endOf(page: PageAt | undefined): number {
  return page === undefined ? 0 : page.at + page.bytes
}

type PageAt = { at: number; bytes: number; firstRow: number }

/** A column of one page has no index. */
function pagesOf({ indexAt, indexBytes, dataAt, dictionaryAt, bytes }: Chunk, source: PlacesSource): PageAt[] {
  if (indexAt === -1) {
    const end = (dictionaryAt === -1 ? dataAt : dictionaryAt) + bytes
    return [{ at: dataAt, bytes: end - dataAt, firstRow: 0 }]
  }
  const from = indexAt - source.tailFrom
  return readOffsetIndex({ bytes: source.tail.subarray(from, from + indexBytes), at: 0 })
}

function readOffsetIndex(place: ThriftPlace): PageAt[] {
  const pages: PageAt[] = []
  forEachField(place, (field, type) => {
    if (field === PAGES) for (let left = readListHead(place).length; left > 0; left -= 1) pages.push(readPage(place))
    else skip(place, type)
  })
  return pages
}

function readPage(place: ThriftPlace): PageAt {
  const page = { at: 0, bytes: 0, firstRow: 0 }
  forEachField(place, (field, type) => {
    if (field === PAGE.at) page.at = readInteger(place)
    else if (field === PAGE.bytes) page.bytes = readInteger(place)
    else if (field === PAGE.firstRow) page.firstRow = readInteger(place)
    else skip(place, type)
  })
  return page
}
