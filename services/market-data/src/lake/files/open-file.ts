import { crc32 } from 'node:zlib'
import { type FileMetaData, type KeyValue, parquetMetadata, type SchemaElement } from 'hyparquet'
import type { ChannelName } from '../../tables.ts'
import { DamagedFile } from './damaged-file.ts'
import { decompressZstd } from './decompress-zstd.ts'
import { findFooterParts, type FooterParts, footerOf } from './footer-parts.ts'
import { findPagePlaces, type PagePlaces } from './page-places.ts'
import { type FileNotes, LAYOUTS, NOTES_KEY, type Traits } from './layout.ts'
import { sha256 } from './write-file.ts'

/** A file as its manifest row describes it. */
export type FileRef = { channel: ChannelName; key: string; bytes: number; tailBytes: number; tailSha256: string }
export type ReadRange = (from: number, to: number) => Promise<ArrayBuffer>

/** Byte range of a row group. */
export type Group = { index: number; from: number; to: number; firstRow: number; rows: number; checksum: number }

export type OpenFile = {
  ref: FileRef
  rows: number
  traits: Traits
  groups: Group[]
  /** Time and sequence of the first row of block n at 2n and 2n + 1. */
  blockKeys: BigInt64Array
  /** Positions of the pages of columns without nulls and lists. */
  places: PagePlaces
  /** Names of all columns. */
  columns: readonly string[]
  footer: () => Promise<FileFooter>
}

export type FileFooter = {
  /** The page indexes and footer, from `tailFrom` on. */
  tail: ArrayBuffer
  tailFrom: number
  /** The metadata of a row group alone, parsed at the first read. */
  metadataOf: (group: number) => FileMetaData
}

export const decompressors = { ZSTD: decompressZstd }

/**
 * Reads the tail (page indexes, then the footer with the notes) and verifies its SHA-256. The notes contain the CRC-32
 * against which row groups are verified later.
 * @throws DamagedFile
 */
export async function openFile(ref: FileRef, readRange: ReadRange): Promise<OpenFile> {
  const tailFrom = ref.bytes - ref.tailBytes
  const tail = await readRange(tailFrom, ref.bytes)
  if (sha256(new Uint8Array(tail)) !== ref.tailSha256) throw new DamagedFile(`${ref.key}: the footer was altered`)
  const footer = footerIn(tail)
  const parts = findFooterParts(footer)
  const metadata = parquetMetadata(footerOf(footer, parts, undefined), { geoparquet: false })
  const notes = notesIn(metadata.key_value_metadata, ref)
  const constants = new Map(Object.entries(notes.constants ?? {}))
  const traits: Traits = {
    priceScale: notes.traits.priceScale ?? undefined,
    sizeScale: notes.traits.sizeScale ?? undefined,
    hasNumericIds: notes.traits.hasNumericIds,
    constants,
  }
  const keyBytes = Buffer.from(notes.blockKeys, 'base64')
  const blockKeys = new BigInt64Array(new Uint8Array(keyBytes).buffer)
  const schema = metadata.schema.map(withoutDecimal)
  const groups = groupsOf(parts, notes.groupChecksums, tailFrom)
  const groupStarts = groups.map(({ from }) => from)
  const bytes = new Uint8Array(tail)
  return {
    ref,
    rows: parts.rows,
    traits,
    groups,
    blockKeys,
    places: findPagePlaces({ footer, parts, schema, groupStarts, tail: bytes, tailFrom, without: constants }),
    columns: columnNames(schema),
    footer: inMemoryFooter(tail, tailFrom, metadataReader(footer, parts, { ...metadata, schema })),
  }
}

/** A separate function: a closure inside `openFile` would keep all variables of that function in memory. */
function inMemoryFooter(tail: ArrayBuffer, tailFrom: number, metadataOf: FileFooter['metadataOf']): OpenFile['footer'] {
  return async () => ({ tail, tailFrom, metadataOf })
}

/** Names of the columns that have to be decoded. */
export function storedColumns({ columns, traits: { constants } }: OpenFile): string[] {
  return columns.filter((name) => constants?.has(name) !== true)
}

/** The same file without its footer in memory; the footer is read again on demand. */
export function withoutFooter(file: OpenFile, readRange: ReadRange): OpenFile {
  return { ...file, footer: reopener(file.ref, readRange) }
}

/** A separate function for the same reason as `inMemoryFooter`. */
function reopener(ref: FileRef, readRange: ReadRange): OpenFile['footer'] {
  return async () => (await openFile(ref, readRange)).footer()
}

/** A column of levels is two columns of the file. */
function columnNames(schema: readonly SchemaElement[]): string[] {
  const [, ...elements] = schema
  const names: string[] = []
  let inside = 0
  for (const { name, num_children: children = 0 } of elements) {
    if (inside === 0) names.push(name)
    inside = Math.max(0, inside - 1) + children
  }
  return names
}

/** hyparquet reads a DECIMAL as a float; without the annotation its INT64 arrives exactly. */
function withoutDecimal(element: SchemaElement): SchemaElement {
  if (element.converted_type !== 'DECIMAL') return element
  const { converted_type: _decimal, logical_type: _logical, ...plain } = element
  return plain
}

function notesIn(entries: KeyValue[] | undefined, { channel, key }: FileRef): FileNotes {
  const text = entries?.find((entry) => entry.key === NOTES_KEY)?.value ?? '{}'
  // The checksum matched, so the notes have the shape that the writer gave them.
  const notes: FileNotes = JSON.parse(text)
  if (notes.layout !== LAYOUTS[channel].name) throw new DamagedFile(`${key}: is not of layout ${LAYOUTS[channel].name}`)
  return notes
}

const MAGIC_BYTES = 4
/** The length of the footer (uint32), then the magic bytes again. */
const TRAILER_BYTES = 8

function footerIn(tail: ArrayBuffer): Uint8Array {
  const end = tail.byteLength - TRAILER_BYTES
  const footerBytes = new DataView(tail).getUint32(end, true)
  return new Uint8Array(tail, end - footerBytes, footerBytes)
}

/** Row groups follow each other from the beginning of the file to its tail. */
function groupsOf(parts: FooterParts, checksums: readonly number[], tailFrom: number): Group[] {
  let from = MAGIC_BYTES
  let firstRow = 0
  return parts.groups.map((part, index) => {
    const to = index === parts.groups.length - 1 ? tailFrom : from + part.compressedBytes
    const group = { index, from, to, firstRow, rows: part.rows, checksum: checksums[index] ?? -1 }
    from = to
    firstRow += part.rows
    return group
  })
}

function metadataReader(footer: Uint8Array, parts: FooterParts, metadata: FileMetaData): FileFooter['metadataOf'] {
  const parsed = new Map<number, FileMetaData>()
  return (index) => {
    const part = parts.groups[index]
    const cached = parsed.get(index)
    if (cached !== undefined || part === undefined) return cached ?? metadata
    const own = groupMetadata(parquetMetadata(footerOf(footer, parts, part), { geoparquet: false }))
    const found = { ...metadata, ...own }
    parsed.set(index, found)
    return found
  }
}

function groupMetadata({ row_groups: groups }: FileMetaData): Pick<FileMetaData, 'num_rows' | 'row_groups'> {
  return { num_rows: groups[0]?.num_rows ?? 0n, row_groups: groups }
}

/** The bytes of a row group, verified. */
export async function readGroup({ ref }: OpenFile, group: Group, readRange: ReadRange): Promise<ArrayBuffer> {
  const bytes = await readRange(group.from, group.to)
  if (crc32(new Uint8Array(bytes)) !== group.checksum) {
    throw new DamagedFile(`${ref.key}: rows ${group.firstRow} to ${group.firstRow + group.rows} were altered`)
  }
  return bytes
}
