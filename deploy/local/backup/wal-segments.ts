import { createHash } from 'node:crypto'
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { ObjectStore } from '@tapeline/objects/object-store'
import { readObject } from './read-object.ts'

/**
 * An object is a zstd file: a skippable frame with the SHA-256 of the segment, then the segment. `zstd -d` reads it.
 * https://www.rfc-editor.org/rfc/rfc8878#section-3.1.2
 */
const SKIPPABLE_FRAME = 0x18_4d_2a_50
const FRAME_BYTES = 8
const SHA256_BYTES = 32
const HEADER_BYTES = FRAME_BYTES + SHA256_BYTES
/** Timeline, then position: 8 and 16 hexadecimal digits. Names of history files and labels differ. */
const SEGMENT = /^[0-9A-F]{24}$/
const TIMELINE_DIGITS = 8

/**
 * Stores a segment of PostgreSQL's log. It may be called again for a stored one: PostgreSQL can stop before it records
 * the success. @throws Error if the archive has a different segment of this name
 */
export async function archiveSegment(store: ObjectStore, name: string, content: Uint8Array): Promise<void> {
  if ((await store.putIfAbsent(keyOf(name), encode(content))) === 'stored') return
  const stored = await read(store, name)
  if (stored === undefined || Buffer.compare(stored, content) !== 0)
    throw new Error(`${keyOf(name)} exists with different content: give each platform an archive of its own`)
}

/** The segment, or undefined after the last one. @throws Error if it is damaged, or missing between others */
export async function readSegment(store: ObjectStore, name: string): Promise<Uint8Array | undefined> {
  const content = await read(store, name)
  if (content === undefined && SEGMENT.test(name)) await refuseGap(store, name)
  return content
}

async function read(store: ObjectStore, name: string): Promise<Uint8Array | undefined> {
  const key = keyOf(name)
  const found = await store.head(key)
  return found === undefined ? undefined : decode(key, await readObject(store, key, found.size))
}

/** Without this, PostgreSQL would take a missing segment for the end of its log and lose all later commits. */
async function refuseGap(store: ObjectStore, name: string): Promise<void> {
  const later = await store.list(`wal/${name.slice(0, TIMELINE_DIGITS)}`)
  const next = later
    .map(({ key }) => key.slice('wal/'.length, -'.zst'.length))
    .filter((one) => SEGMENT.test(one) && one > name)
    .toSorted()[0]
  if (next !== undefined) throw new Error(`${keyOf(name)} is missing, but ${keyOf(next)} exists`)
}

function encode(content: Uint8Array): Uint8Array<ArrayBuffer> {
  const compressed = zstdCompressSync(content, { params: { [constants.ZSTD_c_checksumFlag]: 1 } })
  return new Uint8Array(Buffer.concat([headerOf(content), compressed]))
}

function decode(key: string, object: Uint8Array): Uint8Array {
  const content = decompress(object.subarray(HEADER_BYTES))
  if (content !== undefined && headerOf(content).equals(object.subarray(0, HEADER_BYTES))) return content
  throw new Error(`${key} is damaged: its SHA-256 does not match`)
}

function headerOf(content: Uint8Array): Buffer {
  const header = Buffer.alloc(FRAME_BYTES)
  header.writeUInt32LE(SKIPPABLE_FRAME, 0)
  header.writeUInt32LE(SHA256_BYTES, 4)
  return Buffer.concat([header, createHash('sha256').update(content).digest()])
}

function decompress(bytes: Uint8Array): Uint8Array | undefined {
  try {
    return zstdDecompressSync(bytes)
  } catch {
    return undefined
  }
}

function keyOf(name: string): string {
  return `wal/${name}.zst`
}
