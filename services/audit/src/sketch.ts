/** Relative error of a percentile at most. */
export const RELATIVE_ERROR = 0.01
const GAMMA = (1 + RELATIVE_ERROR) / (1 - RELATIVE_ERROR)
/** Logarithm of how much wider each bucket is than the one before. */
export const LOG_GAMMA = Math.log(GAMMA)
const VARINT_MORE = 0x80

/** DDSketch (Masson et al., VLDB 2019): how many values fell into each bucket of geometrically growing width. */
export type Sketch = Map<number, number>

export function addValue(sketch: Sketch, value: number): void {
  const index = bucketOf(value)
  sketch.set(index, (sketch.get(index) ?? 0) + 1)
}

/** Bytes that hold (bucket, count) pairs. Two of them, one after the other, are the merged sketch: SQL merges with `||`. */
export function encodeSketch(sketch: Sketch): Buffer {
  const bytes: number[] = []
  for (const [index, count] of sketch) {
    pushVarint(bytes, index)
    pushVarint(bytes, count)
  }
  return Buffer.from(bytes)
}

/** Millions of pairs are read for a busy account's report: nothing is allocated on the way. */
export function mergeEncoded(into: Sketch, encoded: Uint8Array): void {
  let index = -1
  let value = 0
  let factor = 1
  for (const byte of encoded) {
    value += (byte % VARINT_MORE) * factor
    factor *= VARINT_MORE
    if (byte >= VARINT_MORE) continue
    if (index === -1) {
      index = value
    } else {
      into.set(index, (into.get(index) ?? 0) + value)
      index = -1
    }
    value = 0
    factor = 1
  }
  if (index !== -1 || factor !== 1) throw new Error('a sketch ends in the middle of a number')
}

export function mergeSketch(into: Sketch, from: Sketch): void {
  for (const [index, count] of from) into.set(index, (into.get(index) ?? 0) + count)
}

export function countOf(sketch: Sketch): number {
  let count = 0
  for (const one of sketch.values()) count += one
  return count
}

/** How many values are at most this one, within `RELATIVE_ERROR` of it. */
export function countUpTo(sketch: Sketch, value: number): number {
  const last = bucketOf(value)
  let count = 0
  for (const [index, inBucket] of sketch) if (index <= last) count += inBucket
  return count
}

/** The values at these quantiles (0…1), each within `RELATIVE_ERROR` of the exact one; undefined for an empty sketch. */
export function quantilesOf(sketch: Sketch, quantiles: readonly number[]): number[] | undefined {
  const count = countOf(sketch)
  if (count === 0) return undefined
  const buckets = [...sketch].toSorted(([a], [b]) => a - b)
  return quantiles.map((quantile) => {
    const rank = quantile * (count - 1)
    let seen = 0
    for (const [index, inBucket] of buckets) {
      seen += inBucket
      if (seen > rank) return valueOf(index)
    }
    return valueOf(buckets.at(-1)?.[0] ?? 0)
  })
}

/** Bucket 0 holds everything up to 1. */
function bucketOf(value: number): number {
  return value <= 1 ? 0 : Math.ceil(Math.log(value) / LOG_GAMMA)
}

function valueOf(index: number): number {
  return index === 0 ? 1 : (2 * GAMMA ** index) / (GAMMA + 1)
}

function pushVarint(bytes: number[], value: number): void {
  let rest = value
  while (rest >= VARINT_MORE) {
    bytes.push((rest % VARINT_MORE) | VARINT_MORE)
    rest = Math.floor(rest / VARINT_MORE)
  }
  bytes.push(rest)
}
