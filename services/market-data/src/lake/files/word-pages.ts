import { readVarint } from './thrift.ts'

const LENGTH_BYTES = 4
const BITS = 8
const VALUES_PER_PACK = 8
/** With a shift of at most 7 bits, four bytes contain an index of this width. */
const WIDTH_MAX = 24

/** The values of a dictionary page of texts in PLAIN: each with its length before it. */
export function readWords(page: Uint8Array, count: number): string[] {
  const view = new DataView(page.buffer, page.byteOffset, page.byteLength)
  const words: string[] = []
  for (let at = 0; words.length < count;) {
    const length = view.getUint32(at, true)
    words.push(Buffer.from(page.subarray(at + LENGTH_BYTES, at + LENGTH_BYTES + length)).toString())
    at += LENGTH_BYTES + length
  }
  return words
}

/**
 * Values `from` to `to` of a page in RLE_DICTIONARY (Parquet, Encodings.md): a byte with the width, and then runs of one
 * value and packs of eight in turn. Values before `from` are passed by run, not one by one.
 */
export function unpackIndexes(page: Uint8Array, { from, to }: { from: number; to: number }): Uint32Array {
  const [width = 0] = page
  if (width > WIDTH_MAX) throw new RangeError(`a page has indexes of ${width} bits`)
  const indexes = new Uint32Array(to - from)
  const place = { bytes: page, at: 1 }
  for (let value = 0; value < to;) {
    const head = readVarint(place)
    const isPacked = head % 2 === 1
    const count = isPacked ? ((head - 1) / 2) * VALUES_PER_PACK : head / 2
    const [first, end] = [Math.max(value, from), Math.min(value + count, to)]
    if (isPacked) {
      for (let at = first; at < end; at += 1) {
        indexes[at - from] = integerAt(page, BITS * place.at + (at - value) * width, width)
      }
      place.at += (count * width) / BITS
    } else {
      const bytes = Math.ceil(width / BITS)
      if (first < end) indexes.fill(integerAt(page, BITS * place.at, BITS * bytes), first - from, end - from)
      place.at += bytes
    }
    value += count
    if (count === 0) throw new RangeError('a page ends too early')
  }
  return indexes
}

/** Little-endian: the lowest bit first. */
function integerAt(bytes: Uint8Array, bit: number, width: number): number {
  const at = bit >>> 3
  const four =
    (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24)
  return (four >>> (bit & 7)) & ((1 << width) - 1)
}
