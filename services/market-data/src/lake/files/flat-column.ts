import { decompressZstd } from './decompress-zstd.ts'
import { unpackDeltas } from './delta-integers.ts'
import type { ColumnPlaces } from './page-places.ts'
import { ENCODINGS, PAGE_TYPES, type PageHeader, readPageHeader } from './page-header.ts'
import { readWords, unpackIndexes } from './word-pages.ts'

/** Rows `from` to `to` of a row group of `rows` and `bytes`. */
export type ColumnRange = { bytes: ArrayBuffer; from: number; to: number; rows: number }
/** A data page, and the rows of the group that it contains. */
type Page = { header: PageHeader; body: Uint8Array; first: number; end: number }

/**
 * Rows of a column without nulls and lists: INT64 as deltas, INT64 and text with a dictionary. hyparquet reads them
 * too, but allocates a BigInt per number and an array of all strings of the row group. Undefined for other columns.
 * @throws RangeError if a page is corrupt
 */
export function readFlatColumn(places: ColumnPlaces, range: ColumnRange): BigInt64Array | string[] | undefined {
  const { type, dictionary } = places
  const pages = pagesOf(places, range)
  if (dictionary === undefined) return type === 'INT64' ? readIntegers(pages, range) : undefined
  return readByDictionary(pages, { type, ...unpack(bytesOf(range, dictionary)) }, range)
}

function bytesOf({ bytes }: ColumnRange, { from, to }: { from: number; to: number }): Uint8Array {
  return new Uint8Array(bytes, from, to - from)
}

/** The pages that have rows of the range. */
function* pagesOf({ pages }: ColumnPlaces, range: ColumnRange): Generator<Page> {
  for (const [number, page] of pages.entries()) {
    const end = pages[number + 1]?.firstRow ?? range.rows
    if (end <= range.from || page.firstRow >= range.to) continue
    yield { ...unpack(bytesOf(range, page)), first: page.firstRow, end }
  }
}

function unpack(bytes: Uint8Array): { header: PageHeader; body: Uint8Array } {
  const place = { bytes, at: 0 }
  const header = readPageHeader(place)
  const body = decompressZstd(bytes.subarray(place.at, place.at + header.bytes), header.unpackedBytes)
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

type Dictionary = { type: ColumnPlaces['type']; header: PageHeader; body: Uint8Array }

function readByDictionary(pages: Iterable<Page>, { type, header, body }: Dictionary, range: ColumnRange) {
  // Writers use either name for the encoding of dictionary pages.
  const isPlain = header.encoding === ENCODINGS.plain || header.encoding === ENCODINGS.plainDictionary
  if (header.type !== PAGE_TYPES.dictionary || !isPlain) return undefined
  const indexes = readIndexes(pages, range)
  if (indexes === undefined) return undefined
  let most = 0
  for (let at = 0; at < indexes.length; at += 1) most = Math.max(most, indexes[at] ?? 0)
  if (most >= header.values) throw new RangeError('a page names a value that is not in its dictionary')
  return type === 'INT64' ? integersAt(body, indexes) : wordsAt(readWords(body, header.values), indexes)
}

function wordsAt(words: readonly string[], indexes: Uint32Array): string[] {
  const found: string[] = []
  for (let at = 0; at < indexes.length; at += 1) found.push(words[indexes[at] ?? 0] ?? '')
  return found
}

function readIndexes(pages: Iterable<Page>, { from, to }: ColumnRange): Uint32Array | undefined {
  const indexes = new Uint32Array(to - from)
  for (const page of pages) {
    const { first, end, body } = page
    if (!isDataOf(page, [ENCODINGS.plainDictionary, ENCODINGS.rleDictionary])) return undefined
    const range = { from: Math.max(0, from - first), to: Math.min(end, to) - first }
    indexes.set(unpackIndexes(body, range), first + range.from - from)
  }
  return indexes
}

function integersAt(dictionary: Uint8Array, indexes: Uint32Array): BigInt64Array {
  // A copy: zlib returns a Buffer, perhaps a part of a larger one at any offset.
  const dictionaryHalves = new Uint32Array(Uint8Array.from(dictionary).buffer)
  const halves = new Uint32Array(2 * indexes.length)
  for (let at = 0; at < indexes.length; at += 1) {
    const index = indexes[at] ?? 0
    halves[2 * at] = dictionaryHalves[2 * index] ?? 0
    halves[2 * at + 1] = dictionaryHalves[2 * index + 1] ?? 0
  }
  return new BigInt64Array(halves.buffer)
}
