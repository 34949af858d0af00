/** Numbers that a seed decides, so that a drill can be run again with the same moments. */
export type Random = {
  /** A whole number from `least` to `most`, both included. */
  between: (least: number, most: number) => number
  shuffled: <T>(list: readonly T[]) => T[]
}

/** Mulberry32: small, and good enough to choose moments. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1))
  return {
    between,
    shuffled(list) {
      const left = [...list]
      return list.flatMap(() => left.splice(between(0, left.length - 1), 1))
    },
  }
}
