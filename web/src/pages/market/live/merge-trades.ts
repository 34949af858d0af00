import type { Trade } from '@tapeline/contracts/market-data/http'

/** Trades of a list and of a stream, newest first, each once. */
export function mergeTrades(streamed: readonly Trade[], listed: readonly Trade[], max: number): Trade[] {
  const byId = new Map([...listed, ...streamed].map((trade) => [trade.id, trade]))
  return [...byId.values()].toSorted(newestFirst).slice(0, max)
}

/** Times of one format compare as texts; within a moment the sequence decides. */
function newestFirst(a: Trade, b: Trade): number {
  if (a.ts_event !== b.ts_event) return a.ts_event < b.ts_event ? 1 : -1
  return BigInt(a.sequence) < BigInt(b.sequence) ? 1 : -1
}
