import { compareDecimals } from '../decimal.ts'
import type { Level } from '../store/record.ts'

export type SideName = 'bids' | 'asks'

/** One side of a book in memory; prices and sizes keep their original text. */
export type PriceLevels = {
  /** Sizes are absolute; one of zero removes the price, and removing an absent price changes nothing. */
  apply: (levels: readonly Level[]) => void
  clear: () => void
  best: () => Level | undefined
  /** The best levels, best first. */
  top: (depth: number) => Level[]
  /** Drops everything worse than the best `depth` levels. */
  truncate: (depth: number) => void
  size: () => number
}

const ZERO = /^0*(?:\.0*)?$/

/**
 * Sorted from worst to best: most changes are near the best price, at the end of the arrays, where an insertion moves
 * few elements. Keys are prices as doubles, for the search alone; bids rise, asks fall.
 */
export function createPriceLevels(side: SideName): PriceLevels {
  const sign = side === 'bids' ? 1 : -1
  let keys: number[] = []
  let levels: [price: string, size: string][] = []

  function isWorse(existing: string, price: string): boolean {
    return existing !== price && sign * compareDecimals(existing, price) < 0
  }

  /** Index of the price, or of where it would be. */
  function indexOf(key: number, price: string): number {
    let low = lowerBound(keys, key)
    // Prices of more digits than a double has are compared by their text.
    while (keys[low] === key && isWorse(levels[low]?.[0] ?? '', price)) low += 1
    return low
  }

  function set(price: string, size: string): void {
    const key = sign * Number(price)
    const index = indexOf(key, price)
    const existing = keys[index] === key ? levels[index] : undefined
    const hasPrice = existing !== undefined && existing[0] === price
    if (size === '0' || ZERO.test(size)) {
      if (!hasPrice) return
      keys.splice(index, 1)
      levels.splice(index, 1)
    } else if (hasPrice) existing[1] = size
    else {
      keys.splice(index, 0, key)
      levels.splice(index, 0, [price, size])
    }
  }

  return {
    apply(changes) {
      for (const level of changes) set(level[0], level[1])
    },
    clear() {
      keys = []
      levels = []
    },
    best: () => copyOf(levels.at(-1)),
    top: (depth) =>
      levels
        .slice(-depth)
        .toReversed()
        .map(([price, size]) => [price, size]),
    truncate(depth) {
      if (levels.length <= depth) return
      keys.splice(0, keys.length - depth)
      levels.splice(0, levels.length - depth)
    },
    size: () => levels.length,
  }
}

/** The index of the first key that is not smaller. */
function lowerBound(keys: readonly number[], key: number): number {
  let low = 0
  let high = keys.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((keys[middle] ?? 0) < key) low = middle + 1
    else high = middle
  }
  return low
}

function copyOf(level: Level | undefined): Level | undefined {
  return level && [level[0], level[1]]
}

/** Whether the best bid is at or above the best ask: such a book has lost a change. */
export function isCrossed(bids: PriceLevels, asks: PriceLevels): boolean {
  const [bid, ask] = [bids.best(), asks.best()]
  return bid !== undefined && ask !== undefined && Number(bid[0]) >= Number(ask[0])
}

/**
 * Levels with rising prices (1) or falling ones (-1); venues usually send them so, and sorting costs more than parsing.
 */
export function bestFirst(levels: Level[], direction: 1 | -1): Level[] {
  let before = Number.NEGATIVE_INFINITY
  for (const level of levels) {
    const key = direction * Number(level[0])
    // Equal doubles may still be different decimals.
    if (key <= before) return levels.toSorted(([one], [other]) => direction * compareDecimals(one, other))
    before = key
  }
  return levels
}
