import { crc32 } from 'node:zlib'

const LEVELS = 10

/** Kraken's book in its own strings, because its checksum covers trailing zeros. */
export function createKrakenBook(depth: number) {
  const sides = { a: new Map<string, string>(), b: new Map<string, string>() }

  function apply(side: 'a' | 'b', rows: readonly string[][]): void {
    const levels = sides[side]
    for (const [price = '', size = ''] of rows) {
      if (Number(size) === 0) levels.delete(price)
      else levels.set(price, size)
    }
    // The venue sends no removal for a level that falls out of the subscribed depth.
    while (levels.size > depth) levels.delete(best(levels, side === 'a' ? 'b' : 'a', 1)[0] ?? '')
  }

  return {
    apply,
    /** CRC-32 over the ten best asks, then bids: digits of price and size without point and leading zeros. */
    checksum(): number {
      const digits = (['a', 'b'] as const).flatMap((side) =>
        best(sides[side], side, LEVELS).map((price) => digitsOf(price) + digitsOf(sides[side].get(price) ?? '')),
      )
      return crc32(digits.join(''))
    },
  }
}

function digitsOf(decimal: string): string {
  return decimal.replace('.', '').replace(/^0+/, '')
}

/** The lowest prices for asks, the highest for bids. */
function best(levels: ReadonlyMap<string, string>, side: 'a' | 'b', wanted: number): string[] {
  const sign = side === 'a' ? 1 : -1
  const found: { price: string; key: number }[] = []
  for (const price of levels.keys()) {
    const key = sign * Number(price)
    const last = found.at(-1)
    if (found.length === wanted && last !== undefined && key >= last.key) continue
    const position = found.findIndex((other) => key < other.key)
    found.splice(position === -1 ? found.length : position, 0, { price, key })
    if (found.length > wanted) found.pop()
  }
  return found.map(({ price }) => price)
}
