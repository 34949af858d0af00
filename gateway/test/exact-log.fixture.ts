import { monthPeriodAt } from '@tapeline/contracts/config/month-period'
import type { Shadowed } from './limiter-scripts.fixture.ts'

export type Limits = { windows: number[]; month: number }
/** When each admitted request came, and the limits that admitted it. */
export type Logged = { lists: Limits[]; log: number[]; anchor: Date; now: number }

const WINDOWS = [
  { ms: 1_000, cellMs: 100 },
  { ms: 60_000, cellMs: 1_000 },
  { ms: 3_600_000, cellMs: 60_000 },
  { ms: 86_400_000, cellMs: 900_000 },
]
export const DAY_MS = 86_400_000

/** What the exact log admits. */
export function checkAgainstLog(run: Logged, requested: number, admittedCount: number): number {
  const exact = room(run, 0)
  if (admittedCount > exact) throw new Error(`admitted ${admittedCount} of ${requested}, the log admits ${exact}`)
  if (admittedCount < Math.min(requested, room(run, 1)))
    throw new Error(`admitted ${admittedCount} of ${requested}, the log + 1 admits ${room(run, 1)}`)
  return exact
}

/** Compares the verdict of shadow limits: what they admit, which of them deny, and the waiting time. */
export function checkVerdict(
  logged: Logged,
  requested: number,
  { admitted: admittedCount, mask, waitMs }: Shadowed,
): void {
  checkAgainstLog(logged, requested, admittedCount)
  for (const [n, isFull] of fullWindows(logged, admittedCount).entries()) {
    const isNamed = (mask & (1 << n)) !== 0
    if (admittedCount < requested && isFull.always && !isNamed) throw new Error(`limit ${n} denies and is not named`)
    if (isNamed && !isFull.perhaps) throw new Error(`limit ${n} is named and does not deny`)
  }
  const expected = admittedCount < requested ? waitOf(logged, mask, admittedCount) : 0
  if (waitMs !== expected) throw new Error(`the waiting time is ${waitMs} ms, by the log ${expected} ms`)
}

/** By the log over the window, and by the log over the window + one cell: whether a window is full after `admittedCount` more. */
function fullWindows({ lists: [limits], log, anchor, now }: Logged, admittedCount: number) {
  const full = WINDOWS.map(({ ms, cellMs }, n) => {
    const isFull = (from: number) => log.filter((at) => at > from).length + admittedCount >= (limits?.windows[n] ?? 0)
    return { always: isFull(now - ms), perhaps: isFull(now - ms - cellMs) }
  })
  const isMonthFull = log.filter((at) => at >= startOfMonth(anchor, now)).length + admittedCount >= (limits?.month ?? 0)
  return [...full, { always: isMonthFull, perhaps: isMonthFull }]
}

/** Until the oldest counted cell of each window that denies has left; `admittedCount`: admitted now. */
function waitOf({ log, anchor, now }: Logged, mask: number, admittedCount: number): number {
  const waits = WINDOWS.map(({ ms, cellMs }, n) => {
    if ((mask & (1 << n)) === 0) return 0
    const cells = [...log, ...(admittedCount > 0 ? [now] : [])].map((at) => Math.floor(at / cellMs))
    const oldest = Math.floor(now / cellMs) - ms / cellMs
    return (Math.min(...cells.filter((cell) => cell >= oldest)) + ms / cellMs + 1) * cellMs - now
  })
  return Math.max(...waits, (mask & 16) === 0 ? 0 : monthPeriodAt(anchor, now).endS * 1_000 - now)
}

/** Requests that may still be admitted by the log over each window plus so many cells, and over the month. */
function room({ lists, log, now, anchor }: Logged, cells: number): number {
  const monthStart = startOfMonth(anchor, now)
  const inMonth = log.filter((at) => at >= monthStart).length
  const rooms = lists.flatMap(({ windows, month }) => [
    month - inMonth,
    ...WINDOWS.map(({ ms, cellMs }, n) => {
      const from = now - ms - cells * cellMs
      return (windows[n] ?? 0) - log.filter((at) => at > from).length
    }),
  ])
  return Math.max(0, Math.min(...rooms))
}

/** By the calendar alone: backwards day by day to one that is the anchor's day, or the last of a month too short for it. */
function startOfMonth(anchor: Date, now: number): number {
  let at = Math.floor(now / DAY_MS) * DAY_MS
  for (;;) {
    const day = new Date(at).getUTCDate()
    const isLast = new Date(at + DAY_MS).getUTCDate() === 1
    if (day === anchor.getUTCDate() || (isLast && day < anchor.getUTCDate())) return at
    at -= DAY_MS
  }
}
