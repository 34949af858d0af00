import type { Book } from '@tapeline/contracts/market-data/book'

export type BookRow = {
  price: string
  size: string
  /** Sizes from the best price to this one; to be shown rounded. */
  sum: number
  /** Fraction of the larger side's sum, 0 to 1. */
  share: number
}

/** Rows of both sides as they are shown: asks from the worst to the best, then bids from the best. */
export function bookRows({ bids, asks }: Pick<Book, 'bids' | 'asks'>, levels: number) {
  const sides = [asks, bids].map((side) => summed(side.slice(0, levels)))
  const most = Math.max(0, ...sides.map((side) => side.at(-1)?.sum ?? 0))
  const [askRows = [], bidRows = []] = sides.map((side) =>
    side.map((row): BookRow => ({ ...row, share: most === 0 ? 0 : row.sum / most })),
  )
  return { asks: askRows.toReversed(), bids: bidRows }
}

function summed(levels: readonly (readonly [string, string])[]): Omit<BookRow, 'share'>[] {
  let sum = 0
  return levels.map(([price, size]) => {
    sum += Number(size)
    return { price, size, sum }
  })
}

/** Best ask minus best bid, exact; undefined with an empty side. */
export function spreadOf({ bids, asks }: Pick<Book, 'bids' | 'asks'>): string | undefined {
  const bid = bids[0]?.[0]
  const ask = asks[0]?.[0]
  if (bid === undefined || ask === undefined) return undefined
  const digits = Math.max(fractionOf(bid).length, fractionOf(ask).length)
  const difference = unitsOf(ask, digits) - unitsOf(bid, digits)
  const sign = difference < 0n ? '-' : ''
  const text = String(difference < 0n ? -difference : difference).padStart(digits + 1, '0')
  return sign + (digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`)
}

function fractionOf(decimal: string): string {
  return decimal.split('.')[1] ?? ''
}

function unitsOf(decimal: string, digits: number): bigint {
  const [whole = '0'] = decimal.split('.')
  return BigInt(whole + fractionOf(decimal).padEnd(digits, '0'))
}
