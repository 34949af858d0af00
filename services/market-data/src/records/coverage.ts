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
  message: `More than ${GAPS_MAX} gaps end in this page, and coverage lists ${GAPS_MAX}: use a smaller limit or a shorter range.`,
}

type Places = { after: Key | undefined; reached: Key | undefined; hasMore: boolean }

/** The part of the filter's range that a page covered: from the position before it to the one that it reached. */
export function spanOf(filter: Filter, { after, reached, hasMore }: Places): Span {
  const end = hasMore ? reached : undefined
  const [earlier, later] = filter.order === 'asc' ? [after, end] : [end, after]
  return {
    start: earlier?.tsEvent ?? filter.start ?? '0',
    end: later === undefined ? (filter.end ?? String(NANOSECONDS_MAX)) : String(BigInt(later.tsEvent) + 1n),
  }
}

type Spanned = {
  instruments: readonly RegisteredInstrument[]
  filter: Filter
  span: Span
  through?: ReadonlyMap<number, string> | undefined
}

/** Missing data in the span of a page, in its order. */
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
