import { createHash } from 'node:crypto'

/** A number from 0 (inclusive) to 1 that depends on the seed and these whole numbers only: no state, no order. */
export type Random = (...parts: number[]) => number

const RANGE = 2 ** 32

export function createRandom(seed: string): Random {
  const start = createHash('sha256').update(seed).digest().readInt32LE(0)
  return (...parts) => {
    let hash = start
    for (const part of parts) hash = mix(hash ^ mix(part | 0))
    return (mix(hash) >>> 0) / RANGE
  }
}

/** Murmur3's finaliser with an offset, so that 0 does not stay 0. */
function mix(value: number): number {
  let hash = (value + 0x9e3779b9) | 0
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}
