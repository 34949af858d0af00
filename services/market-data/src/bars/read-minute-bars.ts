import type pg from 'pg'
import type { Day } from './bar-clock.ts'
import { findMinute, listMinuteBars, MINUTE_NS, type MinuteRange } from './minute-queries.ts'
import { type FoundBars, type InstrumentBar, isBeyond, keyOfBar, type TimeBarRange } from './time-bar-range.ts'

/** Stored minutes that one statement sums, and statements of one call. */
const MINUTES_PER_READ = 100_000n
const READS_MAX = 4

/** Up to `limit` time bars of whole minutes, summed from the stored one-minute bars. */
export async function readMinuteBars(pool: pg.Pool, range: TimeBarRange, limit: number): Promise<FoundBars> {
  const { clock, order, instrumentIds } = range
  const bars: InstrumentBar[] = []
  let { from, until } = range
  for (let reads = 0; reads < READS_MAX; reads += 1) {
    const minute = await findMinute(pool, { instrumentIds, order, from, until })
    if (minute === undefined) return pageOf(bars, range, { hasMore: false, isShort: false })
    const window = windowAt({ ...range, from, until }, minute, limit + 1 - bars.length)
    const found = await listMinuteBars(pool, window, { days: daysOf(range, window), stepNs: clock.stepNs })
    const whole = found.map((bar): InstrumentBar => ({ ...bar, end: clock.endOf(bar.start) }))
    bars.push(...whole.filter((bar) => isBeyond(range, bar)))
    if (bars.length > limit) return pageOf(bars.slice(0, limit), range, { hasMore: true, isShort: false })
    if (order === 'asc') from = window.until
    else until = window.from
  }
  return pageOf(bars, range, { hasMore: true, isShort: true })
}

/** Complete bars from the one that contains a minute: about as many as requested. */
function windowAt(
  { clock, order, instrumentIds, from, until }: TimeBarRange,
  minute: bigint,
  count: number,
): MinuteRange {
  const instruments = BigInt(instrumentIds.length)
  const spanNs = clock.stepNs * ((BigInt(count) + instruments - 1n) / instruments)
  const mostNs = (MINUTES_PER_READ / instruments) * MINUTE_NS
  const span = spanNs < mostNs ? spanNs : mostNs
  const first = clock.startOf(minute)
  if (order === 'asc') {
    const end = clock.endOf(clock.startOf(first + span))
    return { instrumentIds, order, from: first, until: end < until ? end : until }
  }
  const last = clock.endOf(first)
  const start = last > span ? clock.startOf(last - span) : 0n
  return { instrumentIds, order, from: start > from ? start : from, until: last }
}

function daysOf({ clock }: TimeBarRange, { from, until }: MinuteRange): Day[] {
  const days: Day[] = []
  for (let time = from; time < until; time = days.at(-1)?.end ?? until) days.push(clock.dayOf(time))
  return days
}

function pageOf(
  bars: InstrumentBar[],
  { after }: TimeBarRange,
  state: Pick<FoundBars, 'hasMore' | 'isShort'>,
): FoundBars {
  const last = bars.at(-1)
  return { bars, reached: last === undefined ? after : keyOfBar(last), ...state }
}
