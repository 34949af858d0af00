import type { Bar } from '@tapeline/contracts/market-data/bars'
import type { BookGap } from '../../../api/book-gaps.queries.ts'
import type { TapeSlot } from '../../../ui/Tape.tsx'

const DAY_MS = 86_400_000
const SLOT_MS = 600_000
const SLOTS = DAY_MS / SLOT_MS
const HEIGHT_MIN = 0.08

/** Trades per ten minutes of a UTC day, as a tape from midnight to midnight. */
export function daySlots(bars: readonly Bar[], dayMs: number): TapeSlot[] {
  const counts = Array.from({ length: SLOTS }, () => 0)
  for (const { ts_start, count } of bars) {
    const slot = (Date.parse(ts_start) - dayMs) / SLOT_MS
    if (Number.isInteger(slot) && slot >= 0 && slot < SLOTS) counts[slot] = count
  }
  const most = Math.max(1, ...counts)
  return counts.map((count) => (count === 0 ? {} : { up: Math.max(HEIGHT_MIN, Math.sqrt(count / most)) }))
}

/** Where a gap is on the day, in percent; undefined outside of it. */
export function placeOnDay({ from, to }: BookGap, dayMs: number): { left: number; width: number } | undefined {
  const end = Date.parse(to)
  const start = from === null ? end : Date.parse(from)
  if (end < dayMs || start >= dayMs + DAY_MS) return undefined
  const left = (Math.max(0, start - dayMs) / DAY_MS) * 100
  return { left, width: (Math.min(DAY_MS, end - dayMs) / DAY_MS) * 100 - left }
}

/** The end of the next gap after a moment: from there the book is available again. */
export function nextGap(gaps: readonly BookGap[], atMs: number): number | undefined {
  const ends = gaps.map(({ to }) => Date.parse(to)).filter((ms) => ms > atMs)
  return ends.length === 0 ? undefined : Math.min(...ends)
}
