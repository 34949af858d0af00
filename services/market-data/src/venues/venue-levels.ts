import { positiveOf, sizeOf } from '../importers/csv.ts'
import type { Level } from '../store/record.ts'
import { bestFirst } from './price-levels.ts'

/** Canonical levels of rows of price and size, best first; of two with the same price the later one counts. */
export function levelsOf(rows: readonly (readonly string[])[], side: 'bids' | 'asks'): Level[] {
  const levels = new Map<string, Level>()
  for (const [price, size] of rows) {
    const level = [positiveOf('price', price), sizeOf('size', size)] as const
    levels.set(level[0], level)
  }
  return bestFirst([...levels.values()], side === 'bids' ? -1 : 1)
}
