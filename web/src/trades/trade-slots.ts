import type { Trade } from '@tapeline/contracts/market-data/http'
import type { TapeSlot } from '../ui/Tape.tsx'

const HEIGHT_MIN = 0.06
/** Sizes above this share of all trades are drawn at full height, so that one block trade does not flatten the rest. */
const FULL_HEIGHT_QUANTILE = 0.98

/**
 * A slot per trade, newest first: buys above the line, sells below.
 * Height follows the square root of the size, so that small trades are distinguishable.
 */
export function tradeSlots(trades: readonly Trade[], newerThan?: string): TapeSlot[] {
  const sizes = trades.map((trade) => Number(trade.size)).toSorted((a, b) => a - b)
  const full = sizes[Math.floor((sizes.length - 1) * FULL_HEIGHT_QUANTILE)] ?? 1
  return trades.map((trade) => {
    const height = Math.min(1, Math.max(HEIGHT_MIN, Math.sqrt(Number(trade.size) / (full || 1))))
    const isNew = newerThan !== undefined && BigInt(trade.sequence) > BigInt(newerThan)
    return trade.side === 'sell'
      ? { key: trade.id, down: height, kind: 'sell', isNew }
      : { key: trade.id, up: height, isNew }
  })
}
