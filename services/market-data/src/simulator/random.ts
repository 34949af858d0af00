import { createHash } from 'node:crypto'

/** A number from 0 up to 1 that depends on the seed and these whole numbers only: no state, no order. */
export type Random = (kind: number, instrumentId: number, first: number, second?: number) => number

const RANGE = 2 ** 32

export function createRandom(seed: string): Random {
  const start = createHash('sha256').update(seed).digest().readInt32LE(0)
  return (kind, instrumentId, first, second = 0) => {
    const subject = mix(mix(start ^ kind) ^ instrumentId)
    return (mix(mix(subject ^ (first | 0)) ^ (second | 0)) >>> 0) / RANGE
  }
}

/** Murmur3's finaliser with an offset, so that 0 does not stay 0. */
function mix(value: number): number {
  let hash = (value + 0x9e3779b9) | 0
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}
