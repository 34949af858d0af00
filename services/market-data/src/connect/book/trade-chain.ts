import type { TradeGap, TradeRecord } from '../../store/record.ts'
import { NO_TIME } from '../../venues/book-records.ts'
import type { FeedTrade, Hole } from '../feeds/feed.ts'

/** Deduplicates the trades of one instrument with consecutive ids and tracks the missing ones. */
export type TradeChain = {
  take: (trades: readonly FeedTrade[]) => { trades: TradeRecord[]; missing: Hole[] }
  /** Sets the last id that an earlier process stored; later ids count as missing. */
  resumeAfter: (id: number, tsEvent: string) => void
  /** Ids that an earlier process did not receive are missing again; returns the holes before the last id. */
  reopen: (holes: readonly Hole[]) => Hole[]
  /** Called when the venue no longer provides these ids; returns those that were still missing. */
  giveUp: (hole: Hole) => TradeGap | undefined
  /** Gives up all missing ids. */
  giveUpAll: () => TradeGap[]
  missing: () => number
  /** The highest id so far and its time. */
  last: () => { id: number; tsEvent: string } | undefined
}

/** Maximum number of missing ids; venues do not provide the trades of a longer hole again. */
export const MISSING_MAX = 20_000

export function createTradeChain(): TradeChain {
  const holes = createHoles()
  let last: { id: number; tsEvent: string } | undefined

  /** Returns the hole before the trade, and whether all of its ids are new or were missing. */
  function place({ id, firstId = id, trade }: FeedTrade): { isNeeded: boolean; before?: Hole } {
    const previous = last
    if (previous === undefined) {
      last = { id, tsEvent: trade?.tsEvent ?? NO_TIME }
      return { isNeeded: true }
    }
    if (id <= previous.id) return { isNeeded: holes.fill(firstId, id) }
    last = { id, tsEvent: trade?.tsEvent ?? previous.tsEvent }
    if (firstId === previous.id + 1) return { isNeeded: true }
    const hole = { from: previous.id + 1, since: previous.tsEvent, until: last.tsEvent }
    // Some fills of an aggregate may be stored already: the others are requested one by one.
    const isNeeded = firstId > previous.id
    return { isNeeded, before: holes.add({ ...hole, to: isNeeded ? firstId - 1 : id }) }
  }

  return {
    take(trades) {
      const missing: Hole[] = []
      const fresh: TradeRecord[] = []
      for (const one of trades) {
        const { isNeeded, before } = place(one)
        if (before !== undefined) missing.push(before)
        if (isNeeded && one.trade !== undefined) fresh.push(one.trade)
      }
      return { trades: fresh, missing }
    },
    resumeAfter(id, tsEvent) {
      if (last === undefined || id > last.id) last = { id, tsEvent }
    },
    reopen: (earlier) => earlier.filter(({ to }) => last !== undefined && to < last.id).map((hole) => holes.add(hole)),
    giveUp: (hole) => holes.giveUp(hole),
    giveUpAll: () => holes.all().flatMap((hole) => holes.giveUp(hole) ?? []),
    missing: holes.missing,
    last: () => last,
  }
}

/** All ids of a hole as a gap. */
export function gapOf({ from, to, since, until }: Hole): TradeGap {
  return { fromId: from, toId: to, missing: to - from + 1, fromTs: since, toTs: until }
}

/** Missing ids, grouped by hole. */
function createHoles() {
  const awaited = new Set<number>()
  const holes = new Set<Hole>()
  return {
    all: () => [...holes],
    missing: () => awaited.size,
    add(hole: Hole): Hole {
      holes.add(hole)
      for (let id = firstAwaited(hole); id <= hole.to; id += 1) awaited.add(id)
      return hole
    },
    /** Whether all ids were missing until now; if only some were, they still are. */
    fill(firstId: number, id: number): boolean {
      for (let one = firstId; one <= id; one += 1) if (!awaited.has(one)) return false
      for (let one = firstId; one <= id; one += 1) awaited.delete(one)
      return true
    },
    giveUp(hole: Hole): TradeGap | undefined {
      holes.delete(hole)
      const { from, to, since, until } = hole
      const first = firstAwaited(hole)
      const ids = Array.from({ length: to - first + 1 }, (_value, index) => first + index)
      const lost = ids.filter((id) => awaited.delete(id))
      const missing = first - from + lost.length
      if (missing === 0) return undefined
      const ends = { fromId: first > from ? from : (lost[0] ?? from), toId: lost.at(-1) ?? first - 1 }
      return { ...ends, missing, fromTs: since, toTs: until }
    },
  }
}

/** Earlier ids do not count as missing. */
function firstAwaited({ from, to }: Hole): number {
  return Math.max(from, to - MISSING_MAX + 1)
}
