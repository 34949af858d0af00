/** Where the time bars of an interval begin and end; all times in nanoseconds since 1970. */
export type BarClock = {
  readonly stepNs: bigint
  /** The start of the bar that contains a time. */
  startOf: (time: bigint) => bigint
  /** The exclusive end of the bar that begins at `start`. */
  endOf: (start: bigint) => bigint
  /** The local day that contains a time. */
  dayOf: (time: bigint) => Day
}
/** [start, end) with its number of bars. */
export type Day = { start: bigint; end: bigint; bars: bigint }

const NS_PER_MS = 1_000_000n
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const DAY_NS = BigInt(DAY_MS) * NS_PER_MS
/** Offsets from UTC have been within these hours since 1970, with a margin for a skipped day. */
const OFFSET_MAX_MS = 30 * HOUR_MS
const DAYS_CACHED_MAX = 4_000

/**
 * Bars begin at local midnight and every `stepNs` after it. Where a day's length is not a multiple of the interval,
 * the last bar of a shorter day is shorter, and that of a longer day is longer. Throws RangeError for an unknown zone.
 */
export function createBarClock(stepNs: bigint, timeZone: string): BarClock {
  const hoursOf = timeZone === 'UTC' ? utcDayOf : localDays(timeZone)
  const dayOf = (time: bigint): Day => {
    const day = hoursOf(time)
    return { ...day, bars: barsIn(day.end - day.start, stepNs) }
  }
  return {
    stepNs,
    dayOf,
    startOf(time) {
      const { start, bars } = dayOf(time)
      const index = (time - start) / stepNs
      return start + (index < bars ? index : bars - 1n) * stepNs
    },
    endOf(start) {
      const day = dayOf(start)
      const index = (start - day.start) / stepNs
      return index + 1n >= day.bars ? day.end : start + stepNs
    },
  }
}

function barsIn(lengthNs: bigint, stepNs: bigint): bigint {
  const whole = lengthNs / stepNs
  return lengthNs < DAY_NS && lengthNs % stepNs !== 0n ? whole + 1n : whole
}

type Hours = Omit<Day, 'bars'>

function utcDayOf(time: bigint): Hours {
  const start = time - (time % DAY_NS)
  return { start, end: start + DAY_NS }
}

/** Days of a time zone by their number since 1970. A day begins at the first instant with its date. */
function localDays(timeZone: string): (time: bigint) => Hours {
  const localMs = localClock(timeZone)
  const starts = new Map<number, bigint>()
  const startOfDay = (day: number): bigint => {
    const cached = starts.get(day)
    if (cached !== undefined) return cached
    if (starts.size === DAYS_CACHED_MAX) starts.clear()
    const start = BigInt(firstInstantOf(localMs, day)) * NS_PER_MS
    starts.set(day, start)
    return start
  }
  return (time) => {
    let day = Math.floor(localMs(Number(time / NS_PER_MS)) / DAY_MS)
    while (startOfDay(day) > time) day -= 1
    while (startOfDay(day + 1) <= time) day += 1
    return { start: startOfDay(day), end: startOfDay(day + 1) }
  }
}

/** Bisection from a fixed bracket, so that every call finds the same instant. */
function firstInstantOf(localMs: (ms: number) => number, day: number): number {
  let before = day * DAY_MS - OFFSET_MAX_MS
  let after = day * DAY_MS + OFFSET_MAX_MS
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (localMs(middle) >= day * DAY_MS) after = middle
    else before = middle
  }
  return after
}

/** The local wall clock of an instant, as if it were UTC; both in milliseconds. */
function localClock(timeZone: string): (ms: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    hourCycle: 'h23',
    era: 'short',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  return (ms) => {
    const seconds = Math.floor(ms / 1000) * 1000
    const parts = new Map(format.formatToParts(seconds).map(({ type, value }) => [type, Number(value)]))
    const at = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0
    return Date.UTC(at('year'), at('month') - 1, at('day'), at('hour'), at('minute'), at('second')) + (ms - seconds)
  }
}
