import { createInflateRaw, crc32 } from 'node:zlib'
import { Readable } from 'node:stream'

const END_SIGNATURE = 0x06054b50
const ENTRY_SIGNATURE = 0x02014b50
const FILE_SIGNATURE = 0x04034b50
const END_SIZE = 22
const END_COMMENT_MAX = 0xffff
const FLAG_ENCRYPTED = 1
const STORED = 0
const DEFLATED = 8
/** Stands where the real value is in the zip64 field instead. */
const IN_ZIP64 = 0xffffffff
const ZIP64_FIELD = 1

export type ZipEntry = { name: string; compressed: Buffer; method: number; size: number; checksum: number }

/** The entries of a plain zip archive (without encryption), from its central directory. */
export function readZip(archive: Buffer): ZipEntry[] {
  const end = findEnd(archive)
  const count = archive.readUInt16LE(end + 10)
  let at = archive.readUInt32LE(end + 16)
  const entries: ZipEntry[] = []
  for (let entry = 0; entry < count; entry += 1) {
    if (archive.length < at + 46 || archive.readUInt32LE(at) !== ENTRY_SIGNATURE)
      throw new Error('its directory is damaged')
    const nameLength = archive.readUInt16LE(at + 28)
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength)
    if (!name.endsWith('/')) entries.push(readEntry(archive, at, name))
    at += 46 + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32)
  }
  return entries
}

/** The content in pieces; fails at the end when length or checksum are not the archive's. */
export async function* inflateEntry({ name, compressed, method, size, checksum }: ZipEntry): AsyncGenerator<Buffer> {
  const source = Readable.from([compressed])
  const content: AsyncIterable<Buffer> = method === STORED ? source : source.pipe(createInflateRaw())
  let length = 0
  let sum = 0
  for await (const piece of content) {
    length += piece.length
    sum = crc32(piece, sum)
    yield piece
  }
  if (length !== size || sum !== checksum) throw new Error(`${name} is damaged: its checksum does not fit`)
}

function findEnd(archive: Buffer): number {
  const lowest = Math.max(0, archive.length - END_SIZE - END_COMMENT_MAX)
  for (let at = archive.length - END_SIZE; at >= lowest; at -= 1) {
    if (archive.readUInt32LE(at) === END_SIGNATURE) return at
  }
  throw new Error('is not a zip archive')
}

function readEntry(archive: Buffer, at: number, name: string): ZipEntry {
  const flags = archive.readUInt16LE(at + 8)
  const method = archive.readUInt16LE(at + 10)
  const checksum = archive.readUInt32LE(at + 16)
  const { compressedSize, size, header } = readPlace(archive, at)
  if ((flags & FLAG_ENCRYPTED) !== 0) throw new Error(`${name} is encrypted`)
  if (method !== STORED && method !== DEFLATED)
    throw new Error(`${name} is packed in a way that is not supported (${method})`)
  if (archive.length < header + 30 || archive.readUInt32LE(header) !== FILE_SIGNATURE)
    throw new Error(`${name} is damaged`)
  const from = header + 30 + archive.readUInt16LE(header + 26) + archive.readUInt16LE(header + 28)
  if (archive.length < from + compressedSize) throw new Error(`${name} is cut off`)
  return { name, compressed: archive.subarray(from, from + compressedSize), method, size, checksum }
}

/** Sizes and position; each that does not fit into 32 bits stands in the zip64 field, in this order. */
function readPlace(archive: Buffer, at: number): { size: number; compressedSize: number; header: number } {
  const long = zip64Values(archive, at)
  const value = (offset: number): number => {
    const short = archive.readUInt32LE(at + offset)
    return short === IN_ZIP64 ? Number(long.shift() ?? 0n) : short
  }
  const size = value(24)
  const compressedSize = value(20)
  return { size, compressedSize, header: value(42) }
}

function zip64Values(archive: Buffer, at: number): bigint[] {
  let field = at + 46 + archive.readUInt16LE(at + 28)
  const end = field + archive.readUInt16LE(at + 30)
  while (field + 4 <= end) {
    const length = archive.readUInt16LE(field + 2)
    if (archive.readUInt16LE(field) === ZIP64_FIELD) {
      return Array.from({ length: Math.floor(length / 8) }, (_value, index) =>
        archive.readBigUInt64LE(field + 4 + index * 8),
      )
    }
    field += 4 + length
  }
  return []
}
