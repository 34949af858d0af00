import { type ColumnChunk, type ColumnMetaData, type FileMetaData, type OffsetIndex, readOffsetIndex } from 'hyparquet'
import { decompressZstd } from './decompress-zstd.ts'
import { unpackDeltas } from './delta-integers.ts'
import { ENCODINGS, PAGE_TYPES, type PageHeader, readPageHeader } from './page-header.ts'
import { readWords, unpackIndexes } from './word-pages.ts'

/** Rows `from` to `to` of a row group of `rows`; `slice` returns bytes of the file. */
export type ColumnRange = { slice: (from: number, to: number) => ArrayBuffer; from: number; to: number; rows: number }
/** A data page, and the rows of the group that it contains. */
type Page = { header: PageHeader; body: Uint8Array; first: number; end: number }

/**
 * Rows of a column without nulls and lists: INT64 as deltas, INT64 and text with a dictionary. hyparquet reads them
 * too, but makes a BigInt of every number and an array of all words of the row group. Undefined for every other column.
 * @throws RangeError for a damaged page
 */
export function readFlatColumn(
  metadata: FileMetaData,
  chunk: ColumnChunk,
  range: ColumnRange,
): BigInt64Array | string[] | undefined {
  const { meta_data: column } = chunk
  if (column?.codec !== 'ZSTD' || !isFlat(metadata, column.path_in_schema)) return undefined
  const pages = pagesOf(locationsOf(chunk, column, range), range)
  if (column.dictionary_page_offset === undefined) {
    return column.type === 'INT64' ? readIntegers(pages, range) : undefined
  }
  const dictionary = range.slice(Number(column.dictionary_page_offset), Number(column.data_page_offset))
  return readByDictionary(pages, { type: column.type, ...unpack(new Uint8Array(dictionary)) }, range)
}

function isFlat({ schema }: FileMetaData, path: readonly string[]): boolean {
  const element = schema.find(({ name }) => name === path[0])
  return path.length === 1 && element?.repetition_type === 'REQUIRED'
}

/** A column of one page has no index. */
function locationsOf(
  { offset_index_offset: at, offset_index_length: length }: ColumnChunk,
  column: ColumnMetaData,
  { slice }: ColumnRange,
) {
  if (at !== undefined && length !== undefined) {
    const index = new DataView(slice(Number(at), Number(at) + length))
    return readOffsetIndex({ view: index, offset: 0 }).page_locations
  }
  const end = (column.dictionary_page_offset ?? column.data_page_offset) + column.total_compressed_size
  const bytes = Number(end - column.data_page_offset)
  return [{ offset: column.data_page_offset, compressed_page_size: bytes, first_row_index: 0n }]
}

/** The pages that have rows of the range. */
function* pagesOf(pages: OffsetIndex['page_locations'], range: ColumnRange): Generator<Page> {
  for (const [number, page] of pages.entries()) {
    const first = Number(page.first_row_index)
    const end = Number(pages[number + 1]?.first_row_index ?? range.rows)
    if (end <= range.from || first >= range.to) continue
    const from = Number(page.offset)
    const bytes = new Uint8Array(range.slice(from, from + page.compressed_page_size))
    yield { ...unpack(bytes), first, end }
  }
}

function unpack(bytes: Uint8Array): { header: PageHeader; body: Uint8Array } {
  const place = { bytes, at: 0 }
  const header = readPageHeader(place)
  const body = decompressZstd(bytes.subarray(place.at, place.at + header.bytes))
  if (body.length !== header.unpackedBytes) throw new RangeError('a page has another length than its header says')
  return { header, body }
}

function isDataOf({ header, first, end }: Page, encodings: readonly number[]): boolean {
  const { type, values, levelBytes, encoding } = header
  return type === PAGE_TYPES.dataV2 && values === end - first && levelBytes === 0 && encodings.includes(encoding)
}

function readIntegers(pages: Iterable<Page>, { from, to }: ColumnRange): BigInt64Array | undefined {
  const values = new BigInt64Array(to - from)
  const halves = new Uint32Array(values.buffer)
  for (const page of pages) {
    const { first, end, body } = page
    if (!isDataOf(page, [ENCODINGS.deltaBinaryPacked])) return undefined
    // A page that is only partly in the range is decoded into a separate array.
    const isInside = first >= from && end <= to
    const into = isInside ? halves : new Uint32Array(2 * (end - first))
    if (!unpackDeltas(body, into, isInside ? first - from : 0, end - first)) return undefined
    if (isInside) continue
    const start = Math.max(first, from)
    halves.set(into.subarray(2 * (start - first), 2 * (Math.min(end, to) - first)), 2 * (start - from))
  }
  return values
}

type Dictionary = { type: string; header: PageHeader; body: Uint8Array }

function readByDictionary(pages: Iterable<Page>, { type, header, body }: Dictionary, range: ColumnRange) {
  // Writers use either name for the encoding of dictionary pages.
  const isPlain = header.encoding === ENCODINGS.plain || header.encoding === ENCODINGS.plainDictionary
  const isReadable = type === 'INT64' || type === 'BYTE_ARRAY'
  if (header.type !== PAGE_TYPES.dictionary || !isPlain || !isReadable) return undefined
  const indexes = readIndexes(pages, range)
  if (indexes === undefined) return undefined
  if (indexes.some((index) => index >= header.values))
    throw new RangeError('a page names a value that is not in its dictionary')
  if (type === 'INT64') return integersAt(body, indexes)
  const words = readWords(body, header.values)
  return Array.from(indexes, (index) => words[index] ?? '')
}

function readIndexes(pages: Iterable<Page>, { from, to }: ColumnRange): Uint32Array | undefined {
  const indexes = new Uint32Array(to - from)
  for (const page of pages) {
    const { first, end, body } = page
    if (!isDataOf(page, [ENCODINGS.plainDictionary, ENCODINGS.rleDictionary])) return undefined
    const wanted = { from: Math.max(0, from - first), to: Math.min(end, to) - first }
    indexes.set(unpackIndexes(body, wanted), first + wanted.from - from)
  }
  return indexes
}

function integersAt(dictionary: Uint8Array, indexes: Uint32Array): BigInt64Array {
  // A copy: zlib returns a Buffer, perhaps a part of a larger one at any offset.
  const known = new Uint32Array(Uint8Array.from(dictionary).buffer)
  const halves = new Uint32Array(2 * indexes.length)
  for (const [at, index] of indexes.entries()) {
    halves[2 * at] = known[2 * index] ?? 0
    halves[2 * at + 1] = known[2 * index + 1] ?? 0
  }
  return new BigInt64Array(halves.buffer)
}
