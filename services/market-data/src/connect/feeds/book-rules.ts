import type { BookRule } from './feed.ts'

/** The venue sends a snapshot after the subscription; each update refers to the previous one on the same connection. */
export const STREAMED_WITHOUT_IDS: BookRule = { hasIds: false, snapshots: 'streamed', placeOf: () => 'next' }

const SPOT_SYMBOL = /^[A-Z0-9]{1,20}-[A-Z0-9]{1,20}$/

/** BASE-QUOTE, without an ending for a perpetual or a date. */
export function isSpotSymbol(symbol: string): boolean {
  return SPOT_SYMBOL.test(symbol)
}
