import { zstdDecompressSync } from 'node:zlib'

const MAGIC = 0xfd2fb528
const FLAG = { singleSegment: 0x20, checksum: 0x04, dictionary: 0x03 }
const SIZE_BYTES = [0, 2, 4, 8]
const BLOCK_HEAD_BYTES = 3
const BLOCK = { raw: 0, repeated: 1 }
const HEAD_MIN_BYTES = 9
/** zlib allocates 16 KB if no size is given, and needs a second call if the output fills its buffer exactly. */
const ROOM_BYTES = 64
const CHUNK_BYTES_MAX = 1024 * 1024

/**
 * Decompresses a zstd frame. Frames whose blocks are all uncompressed (pages of random digits) are copied in JavaScript,
 * because a call of the native decoder costs more than the copy.
 */
export function decompressZstd(bytes: Uint8Array, unpackedBytes: number): Uint8Array {
  return (
    copyUncompressed(bytes) ??
    zstdDecompressSync(bytes, { chunkSize: Math.min(CHUNK_BYTES_MAX, unpackedBytes + ROOM_BYTES) })
  )
}

/** Undefined if a block is compressed or the frame contains something other than blocks. */
function copyUncompressed(bytes: Uint8Array): Uint8Array | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const first = bytes.length < HEAD_MIN_BYTES ? undefined : firstBlock(view)
  if (first === undefined) return undefined
  const parts: Uint8Array[] = []
  for (let at = first; at + BLOCK_HEAD_BYTES <= bytes.length;) {
    const head = view.getUint16(at, true) + (view.getUint8(at + 2) << 16)
    const [isLast, type, size] = [(head & 1) === 1, (head >> 1) & 3, head >> 3]
    at += BLOCK_HEAD_BYTES
    if (type === BLOCK.raw) parts.push(bytes.subarray(at, at + size))
    else if (type === BLOCK.repeated) parts.push(new Uint8Array(size).fill(bytes[at] ?? 0))
    else return undefined
    at += type === BLOCK.raw ? size : 1
    if (isLast) return at === bytes.length ? joined(parts) : undefined
  }
  return undefined
}

/** Offset of the first block; undefined for a frame of another format. */
function firstBlock(view: DataView): number | undefined {
  const flags = view.getUint8(4)
  if (view.getUint32(0, true) !== MAGIC || (flags & (FLAG.checksum | FLAG.dictionary)) !== 0) return undefined
  const isSingle = (flags & FLAG.singleSegment) !== 0
  const sizeBytes = SIZE_BYTES[flags >> 6] ?? 0
  return 5 + (isSingle ? Math.max(1, sizeBytes) : 1 + sizeBytes)
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const [only] = parts
  return parts.length === 1 && only !== undefined ? only : Buffer.concat(parts)
}
