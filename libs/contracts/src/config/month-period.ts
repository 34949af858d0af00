/** A month of an account, in seconds since 1970: start, end, and the end of the one after it. */
export type MonthPeriod = { startS: number; endS: number; followingEndS: number }

/** Months begin at 00:00 UTC on the anchor's day, or on the last day of a month that is too short for it. */
export function monthPeriodAt(anchor: Date, nowMs: number): MonthPeriod {
  const now = new Date(nowMs)
  const months = now.getUTCFullYear() * 12 + now.getUTCMonth()
  const day = anchor.getUTCDate()
  const first = startMs(months, day) <= nowMs ? months : months - 1
  return {
    startS: startMs(first, day) / 1_000,
    endS: startMs(first + 1, day) / 1_000,
    followingEndS: startMs(first + 2, day) / 1_000,
  }
}

function startMs(months: number, day: number): number {
  const year = Math.floor(months / 12)
  const month = months % 12
  const days = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return Date.UTC(year, month, Math.min(day, days))
}
