import { crc32 } from 'node:zlib'
import type { Level } from '../../store/record.ts'
import { createPriceLevels, type PriceLevels } from '../price-levels.ts'

const LEVELS = 10

/** Kraken's book in its own strings, because its checksum covers trailing zeros. */
export function createKrakenBook(depth: number) {
  const sides = { a: createPriceLevels('asks'), b: createPriceLevels('bids') }
  return {
    apply(side: 'a' | 'b', rows: readonly string[][]): void {
      sides[side].apply(rows.map(([price = '', size = '']): Level => [price, size]))
      // The venue sends no removal for a level that falls out of the subscribed depth.
      sides[side].truncate(depth)
    },
    checksum: () => krakenChecksum(sides.a, sides.b),
  }
}

/** CRC-32 over the ten best asks, then bids: digits of price and size without point and leading zeros. */
export function krakenChecksum(asks: PriceLevels, bids: PriceLevels): number {
  let digits = ''
  for (const side of [asks, bids]) {
    for (const [price, size] of side.top(LEVELS)) digits += digitsOf(price) + digitsOf(size)
  }
  return crc32(digits)
}

function digitsOf(decimal: string): string {
  return decimal.replace('.', '').replace(/^0+/, '')
}
