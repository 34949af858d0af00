import type pg from 'pg'
import type { RegisteredInstrument } from '../instruments/instrument.ts'
import type { Warning } from '../instruments/select-instruments.ts'
import { compareNanoseconds, NANOSECONDS_MAX } from '../nanoseconds.ts'
import type { ChannelName } from '../tables.ts'
import type { Key } from './cursor.ts'
import type { Filter } from './filter.ts'
import { type Gap, GAPS_MAX, listGaps, listTradeGaps, type Span } from './gap-queries.ts'
import { type FormatTime, formatTimeAs } from './render-record.ts'

export type Coverage = {
  venue: string
  symbol: string
  from: string | null
  to: string | null
  state: string
  reason: string | null
  complete_through: string | null
}

/** The stored parts of the requested range per instrument, then its gaps. */
export function coverageOf(
  instruments: readonly RegisteredInstrument[],
  channel: ChannelName,
  filter: Filter,
  format: FormatTime,
) {
  return instruments.map((instrument): Coverage => {
    const { venue, symbol } = instrument
    const { firstTsEvent, lastTsEvent, retainedFrom, completeThrough: through } = instrument.channels[channel]
    const complete_through = through === null ? null : format(through)
    const none = { venue, symbol, from: null, to: null, state: 'none', complete_through }
    if (firstTsEvent === null || lastTsEvent === null) return { ...none, reason: 'nothing_stored' }
    const from = laterOf(firstTsEvent, filter.start)
    const to = earlierOf(lastTsEvent, filter.end)
    if (compareNanoseconds(from, to) > 0) return { ...none, reason: 'outside_of_what_is_stored' }
    const isCut = retainedFrom !== '0' && compareNanoseconds(filter.start ?? '0', retainedFrom) < 0
    const reason = isCut ? 'retention' : null
    return { venue, symbol, from: format(from), to: format(to), state: 'stored', reason, complete_through }
  })
}

export type PageGaps = { coverage: Coverage[]; warnings: Warning[] }
export const NO_GAPS: PageGaps = { coverage: [], warnings: [] }

const TRUNCATED: Warning = {
  code: 'coverage.truncated',
  message: `More than ${GAPS_MAX} gaps lie ahead in this range; coverage lists the first ${GAPS_MAX}, the next pages list the others.`,
}

/**
 * The part of the filter's range from the position before a page on, in its order: so the first page has the gaps of the
 * whole range, and every page those that lie ahead of it.
 */
export function spanFrom(filter: Filter, after: Key | undefined): Span {
  const { start = '0', end = String(NANOSECONDS_MAX) } = filter
  if (after === undefined) return { start, end }
  return filter.order === 'asc' ? { start: after.tsEvent, end } : { start, end: String(BigInt(after.tsEvent) + 1n) }
}

type Spanned = {
  instruments: readonly RegisteredInstrument[]
  filter: Filter
  span: Span
  through?: ReadonlyMap<number, string> | undefined
}

/** Missing data in a span, in the order of the filter. */
export async function gapsIn(pool: pg.Pool, channel: ChannelName, page: Spanned): Promise<PageGaps> {
  const { instruments, filter, span, through } = page
  const withGaps = channel === 'trade' ? instruments.filter(({ hasTradeGaps }) => hasTradeGaps) : instruments
  const ids = withGaps.map(({ instrumentId }) => instrumentId)
  if (ids.length === 0) return NO_GAPS
  const range = { ...span, order: filter.order }
  const gaps =
    channel === 'trade'
      ? await listTradeGaps(pool, ids, { ...range, asOf: filter.as_of })
      : await listGaps(pool, ids, { ...range, through })
  const coverage = gapCoverage(instruments, gaps.slice(0, GAPS_MAX), formatTimeAs(filter.time_format))
  return { coverage, warnings: gaps.length > GAPS_MAX ? [TRUNCATED] : [] }
}

function gapCoverage(instruments: readonly RegisteredInstrument[], gaps: Gap[], format: FormatTime): Coverage[] {
  return gaps.flatMap(({ instrumentId, fromTs, toTs, reason }) => {
    const instrument = instruments.find((one) => one.instrumentId === instrumentId)
    if (instrument === undefined) return []
    const { venue, symbol } = instrument
    const from = fromTs === null ? null : format(fromTs)
    return [{ venue, symbol, from, to: format(toTs), state: 'gap', reason, complete_through: null }]
  })
}

/** The earliest time of all instruments whose source reports it; null if none does. */
export function completeThrough(instruments: readonly RegisteredInstrument[], channel: ChannelName): string | null {
  const times = instruments.flatMap((instrument) => instrument.channels[channel].completeThrough ?? [])
  return times.toSorted(compareNanoseconds)[0] ?? null
}

function laterOf(one: string, other: string | undefined): string {
  return other !== undefined && compareNanoseconds(other, one) > 0 ? other : one
}

function earlierOf(one: string, other: string | undefined): string {
  return other !== undefined && compareNanoseconds(other, one) < 0 ? other : one
}
