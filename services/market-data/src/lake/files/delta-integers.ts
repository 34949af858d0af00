import { readVarint } from './thrift.ts'

const TWO_32 = 4_294_967_296
/** Deltas of this width fit a double together with those of a whole miniblock. */
const WIDTH_MAX = 45
const DELTA_MAX = 2 ** WIDTH_MAX
const SUM_MAX = 2 ** 51
const VALUES_PER_MINIBLOCK_MAX = 32
/** With a shift of at most 7 bits, one read of 32 has them. */
const WIDTH_OF_ONE_READ = 25
const READ_BYTES = 8
const VARINT_MORE = 0x80
const VARINT_BITS = 0x7fn

/**
 * The first `count` values of a page of INT64 in DELTA_BINARY_PACKED (Parquet, Encodings.md), written to `halves` from
 * value `start` on: little-endian int64, low half first. Allocates no BigInt. Returns false if the deltas
 * are too wide for that; the content of `halves` is then undefined.
 */
export function unpackDeltas(page: Uint8Array, halves: Uint32Array, start: number, count: number): boolean {
  const bytes = padded(page)
  const place = { bytes, at: 0 }
  const blockValues = readVarint(place)
  const miniblocks = readVarint(place)
  readVarint(place)
  const first = readLong(place)
  const write = writerFrom(halves, first)
  const perMiniblock = blockValues / miniblocks
  if (perMiniblock > VALUES_PER_MINIBLOCK_MAX) return false
  const view = new DataView(bytes.buffer, 0, bytes.length)
  write(start, 0)
  let done = 1
  let sum = 0
  while (done < count) {
    const least = zigzag(readVarint(place))
    if (Math.abs(least) > DELTA_MAX) return false
    const widths = bytes.subarray(place.at, place.at + miniblocks)
    place.at += miniblocks
    for (let index = 0; index < miniblocks && done < count; index += 1) {
      const width = widths[index] ?? 0
      if (width > WIDTH_MAX || Math.abs(sum) > SUM_MAX) return false
      const end = Math.min(count, done + perMiniblock)
      for (let bit = 8 * place.at; done < end; bit += width) {
        sum += least + bitsAt(view, bit, width)
        write(start + done, sum)
        done += 1
      }
      place.at += (perMiniblock * width) / 8
    }
  }
  return true
}

let padding = new Uint8Array(0)

/** A copy with room for the last read, in memory that the next page reuses. */
function padded(page: Uint8Array): Uint8Array {
  const length = page.length + READ_BYTES
  if (padding.length < length) padding = new Uint8Array(2 * length)
  padding.set(page)
  padding.fill(0, page.length, length)
  return padding.subarray(0, length)
}

function bitsAt(view: DataView, bit: number, width: number): number {
  if (width === 0) return 0
  const at = bit >>> 3
  const shift = bit & 7
  const low = view.getUint32(at, true) >>> shift
  if (width <= WIDTH_OF_ONE_READ) return low & ((1 << width) - 1)
  const inLow = 32 - shift
  if (width <= inLow) return width === 32 ? low : low & (2 ** width - 1)
  return (view.getUint32(at + 4, true) & ((1 << (width - inLow)) - 1)) * 2 ** inLow + low
}

/** Writes first + sum as value `at`. */
function writerFrom(halves: Uint32Array, first: bigint) {
  const firstLow = Number(BigInt.asUintN(32, first))
  const firstHigh = Number(BigInt.asIntN(32, first >> 32n))
  return (at: number, sum: number) => {
    const upper = Math.floor(sum / TWO_32)
    const low = firstLow + (sum - upper * TWO_32)
    halves[2 * at] = low
    halves[2 * at + 1] = firstHigh + upper + (low >= TWO_32 ? 1 : 0)
  }
}

function zigzag(value: number): number {
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2
}

/** A zigzag varint of 64 bits. */
function readLong(place: { bytes: Uint8Array; at: number }): bigint {
  let value = 0n
  for (let shift = 0n; ; shift += 7n) {
    const byte = place.bytes[place.at] ?? 0
    place.at += 1
    value |= (BigInt(byte) & VARINT_BITS) << shift
    if (byte < VARINT_MORE) return (value >> 1n) ^ -(value & 1n)
  }
}
