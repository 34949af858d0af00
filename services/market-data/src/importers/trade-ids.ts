import type { TradeGap, TradeRecord } from '../store/record.ts'

type Range = { fromId: number; toId: number; fromTs: string; toTs: string }

/** A file with more holes does not have consecutive ids. */
const GAPS_MAX = 10_000
const DIGITS = /^\d{1,15}$/

/** Tracks which ids a file of consecutive trade ids contains, and which are missing in between. */
export type TradeIds = {
  add: (trade: TradeRecord) => void
  gaps: () => TradeGap[]
  /** Ranges without a hole, between the times of their first and last trade. */
  runs: () => Range[]
}

export function createTradeIds(): TradeIds {
  let first: { id: number; tsEvent: string } | undefined
  let last = 0
  let lastTs = '0'
  let gaps: Range[] = []
  let isConsecutive = true

  /** A late id closes its gap, or splits it. */
  function fill(id: number, tsEvent: string): void {
    const at = gaps.findIndex(({ fromId, toId }) => fromId <= id && id <= toId)
    const gap = gaps[at]
    if (gap === undefined) return
    const parts = [
      { ...gap, toId: id - 1, toTs: tsEvent },
      { ...gap, fromId: id + 1, fromTs: tsEvent },
    ]
    gaps.splice(at, 1, ...parts.filter(({ fromId, toId }) => fromId <= toId))
  }

  function addFirst(id: number, tsEvent: string, previous: { id: number; tsEvent: string }): void {
    const before = { fromId: id + 1, toId: previous.id - 1, fromTs: tsEvent, toTs: previous.tsEvent }
    if (before.fromId <= before.toId) gaps.unshift(before)
    first = { id, tsEvent }
  }

  function add({ sourceId, hasTradeId, tsEvent }: TradeRecord): void {
    isConsecutive &&= hasTradeId && DIGITS.test(sourceId) && gaps.length <= GAPS_MAX
    if (isConsecutive) place(Number(sourceId), tsEvent)
    else gaps = []
  }

  function place(id: number, tsEvent: string): void {
    if (first !== undefined && id <= last) return id < first.id ? addFirst(id, tsEvent, first) : fill(id, tsEvent)
    if (first !== undefined && id > last + 1)
      gaps.push({ fromId: last + 1, toId: id - 1, fromTs: lastTs, toTs: tsEvent })
    first ??= { id, tsEvent }
    last = id
    lastTs = tsEvent
  }

  return {
    add,
    gaps: () => gaps.map((gap) => ({ ...gap, missing: gap.toId - gap.fromId + 1 })),
    runs() {
      if (first === undefined || !isConsecutive) return []
      const starts = [
        { fromId: first.id, fromTs: first.tsEvent },
        ...gaps.map(({ toId, toTs }) => ({ fromId: toId + 1, fromTs: toTs })),
      ]
      const end = { toId: last, toTs: lastTs }
      const ends = [...gaps.map(({ fromId, fromTs }) => ({ toId: fromId - 1, toTs: fromTs })), end]
      return starts.map((start, index) => ({ ...start, ...(ends[index] ?? end) }))
    },
  }
}
