import { seededRandom } from '@tapeline/testing/seeded-random'

/** Seeded random numbers, so that a drill can be repeated with the same moments. */
export type Random = {
  /** A whole number from `least` to `most`, both included. */
  between: (least: number, most: number) => number
  shuffled: <T>(list: readonly T[]) => T[]
}

export function createRandom(seed: number): Random {
  const next = seededRandom(seed)
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1))
  return {
    between,
    shuffled(list) {
      const remaining = [...list]
      return list.flatMap(() => remaining.splice(between(0, remaining.length - 1), 1))
    },
  }
}
