import { VARINT_BYTES_MAX, writeVarint } from '../varint.ts'

/** Maximum relative error of a percentile. */
export const RELATIVE_ERROR = 0.01
const GAMMA = (1 + RELATIVE_ERROR) / (1 - RELATIVE_ERROR)
/** Logarithm of the ratio between consecutive bucket boundaries. */
export const LOG_GAMMA = Math.log(GAMMA)
const VARINT_MORE = 0x80
const VARINT_BITS = 0x7f
/** Covers up to 13 minutes in microseconds. */
const BUCKETS_AT_FIRST = 1_024
/** Covers up to the largest safe integer. */
const BUCKETS_MAX = 2_048
const PAIR_BYTES_MAX = 2 * VARINT_BYTES_MAX

/** DDSketch (Masson et al., VLDB 2019): number of values per bucket of geometrically growing width. For few values. */
export type Sketch = Map<number, number>

export function addValue(sketch: Sketch, value: number): void {
  const index = bucketOf(value)
  sketch.set(index, (sketch.get(index) ?? 0) + 1)
}

/**
 * Encodes (bucket, count) pairs. The concatenation of two encoded sketches is the merged sketch: SQL merges with
 * `||`.
 */
export function encodeSketch(sketch: Sketch): Buffer {
  const bytes = Buffer.allocUnsafe(sketch.size * PAIR_BYTES_MAX)
  let end = 0
  for (const [index, count] of sketch) end = writePair(bytes, index, count, end)
  return bytes.subarray(0, end)
}

export function mergeSketch(into: Sketch, from: Sketch): void {
  for (const [index, count] of from) into.set(index, (into.get(index) ?? 0) + count)
}

/** Decoding buffer, reused between calls. */
let bytesOfText = Buffer.alloc(0)

/** Accumulates thousands of encoded sketches: the report of a busy account reads millions of pairs. */
export class SketchSum {
  /** Counts by bucket; grows to the highest one. */
  private counts = new Float64Array(BUCKETS_AT_FIRST)

  /** Adds a sketch, or with `factor` -1 subtracts one that was added before. */
  addEncoded(encoded: Uint8Array, factor: 1 | -1 = 1): void {
    let counts = this.counts
    let index = -1
    let at = 0
    // Nearly all numbers have one or two bytes; an index is faster here than an iterator.
    while (at < encoded.length) {
      let byte = encoded[at++] ?? 0
      let value = byte & VARINT_BITS
      for (let place = VARINT_MORE; byte >= VARINT_MORE; place *= VARINT_MORE) {
        byte = encoded[at++] ?? 0
        value += (byte & VARINT_BITS) * place
      }
      if (index === -1) {
        index = value
        if (index >= counts.length) counts = this.grow(index)
      } else {
        counts[index] = (counts[index] ?? 0) + value * factor
        index = -1
      }
    }
    requireWhole(index === -1 && at === encoded.length)
  }

  addBase64(text: string, factor: 1 | -1 = 1): void {
    if (text.length > bytesOfText.length) bytesOfText = Buffer.allocUnsafeSlow(2 * text.length)
    this.addEncoded(bytesOfText.subarray(0, bytesOfText.write(text, 'base64')), factor)
  }

  add({ counts: added }: SketchSum): void {
    const counts = added.length > this.counts.length ? this.grow(added.length - 1) : this.counts
    added.forEach((count, index) => (counts[index] = (counts[index] ?? 0) + count))
  }

  count(): number {
    return this.counts.reduce((sum, count) => sum + count, 0)
  }

  /** Number of values up to this one, within `RELATIVE_ERROR` of it. */
  countUpTo(value: number): number {
    return this.counts.subarray(0, bucketOf(value) + 1).reduce((sum, count) => sum + count, 0)
  }

  /**
   * The values at these quantiles (0…1, ascending), each within `RELATIVE_ERROR` of the exact one; undefined without
   * values.
   */
  quantiles(quantiles: readonly number[]): number[] | undefined {
    const count = this.count()
    if (count === 0) return undefined
    let index = 0
    let cumulative = this.counts[0] ?? 0
    return quantiles.map((quantile) => {
      const rank = quantile * (count - 1)
      while (cumulative <= rank && index < this.counts.length) {
        index += 1
        cumulative += this.counts[index] ?? 0
      }
      return valueOf(index)
    })
  }

  encode(): Buffer {
    const bytes = Buffer.allocUnsafe(this.counts.length * PAIR_BYTES_MAX)
    let end = 0
    this.counts.forEach((count, index) => {
      if (count > 0) end = writePair(bytes, index, count, end)
    })
    return bytes.subarray(0, end)
  }

  private grow(index: number): Float64Array<ArrayBuffer> {
    if (index >= BUCKETS_MAX) throw new Error(`a sketch names bucket ${index}, and there are ${BUCKETS_MAX}`)
    const grown = new Float64Array(Math.min(BUCKETS_MAX, 2 ** Math.ceil(Math.log2(index + 1))))
    grown.set(this.counts)
    this.counts = grown
    return grown
  }
}

/** Bucket 0 contains all values up to 1. */
function bucketOf(value: number): number {
  return value <= 1 ? 0 : Math.ceil(Math.log(value) / LOG_GAMMA)
}

function valueOf(index: number): number {
  return index === 0 ? 1 : (2 * GAMMA ** index) / (GAMMA + 1)
}

function writePair(into: Buffer, index: number, count: number, start: number): number {
  return writeVarint(into, count, writeVarint(into, index, start))
}

function requireWhole(isWhole: boolean): void {
  if (!isWhole) throw new Error('a sketch ends in the middle of a number')
}
