import type { TradeRecord } from '../../store/record.ts'
import { NO_TIME } from '../../venues/book-records.ts'
import type { FeedTrade, MissingIds } from '../feeds/feed.ts'

/** Trades of one instrument whose ids are consecutive: each once, and which ones are missing. */
export type TradeChain = {
  take: (trades: readonly FeedTrade[]) => { trades: TradeRecord[]; missing: MissingIds[] }
  /** The last id that an earlier process stored: what follows it is missing. */
  resumeAfter: (id: number, tsEvent: string) => void
  /** The venue does not give these ids any more; returns how many of them were still missing. */
  giveUp: (ids: MissingIds) => number
  missing: () => number
  /** The highest id so far and its time. */
  last: () => { id: number; tsEvent: string } | undefined
}

/** Most ids that are waited for; a longer hole is of trades that the venue does not give again. */
export const MISSING_MAX = 20_000

export function createTradeChain(): TradeChain {
  const awaited = new Set<number>()
  let last: { id: number; tsEvent: string } | undefined

  function hole(from: number, to: number, since: string): MissingIds {
    for (let id = Math.max(from, to - MISSING_MAX + 1); id <= to; id += 1) awaited.add(id)
    return { from, to, since }
  }

  /** Whether one of the ids was missing until now. */
  function fill(firstId: number, id: number): boolean {
    let isWanted = false
    for (let one = firstId; one <= id; one += 1) isWanted = awaited.delete(one) || isWanted
    return isWanted
  }

  /** The hole before the trade, and whether its id is new or was missing. */
  function place({ id, firstId = id, trade }: FeedTrade): { isWanted: boolean; before?: MissingIds } {
    const previous = last
    if (previous !== undefined && id <= previous.id) return { isWanted: fill(firstId, id) }
    last = { id, tsEvent: trade?.tsEvent ?? previous?.tsEvent ?? NO_TIME }
    if (previous === undefined || firstId <= previous.id + 1) return { isWanted: true }
    return { isWanted: true, before: hole(previous.id + 1, firstId - 1, previous.tsEvent) }
  }

  return {
    take(trades) {
      const missing: MissingIds[] = []
      const fresh: TradeRecord[] = []
      for (const one of trades) {
        const { isWanted, before } = place(one)
        if (before !== undefined) missing.push(before)
        if (isWanted && one.trade !== undefined) fresh.push(one.trade)
      }
      return { trades: fresh, missing }
    },
    resumeAfter(id, tsEvent) {
      if (last === undefined || id > last.id) last = { id, tsEvent }
    },
    giveUp({ from, to }) {
      let lost = 0
      for (let id = Math.max(from, to - MISSING_MAX + 1); id <= to; id += 1) if (awaited.delete(id)) lost += 1
      return lost
    },
    missing: () => awaited.size,
    last: () => last,
  }
}
