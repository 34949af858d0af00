import type { UserActor } from '@tapeline/contracts/actor'
import type { ListBars } from '@tapeline/contracts/market-data/bars'
import type { Deps } from '../deps.ts'
import type { RegisteredInstrument } from '../instruments/instrument.ts'
import { compareNanoseconds, dayOf, nanosecondsOf } from '../nanoseconds.ts'
import { gapsIn, spanFrom } from '../records/coverage.ts'
import type { Key } from '../records/cursor.ts'
import { type BarSpec, invalid } from '../records/filter.ts'
import type { Span } from '../records/gap-queries.ts'
import { sharedEnd } from '../records/list-records.ts'
import { nextCursorOf, openPageRequest, SHORT_PAGE, type PageRequest } from '../records/page-request.ts'
import { type RenderedPage, renderPageEnd } from '../records/render-page.ts'
import { formatTimeAs } from '../records/render-record.ts'
import {
  barOf,
  clockOf,
  type CountSpec,
  requestedBarFilter,
  isOfMinutes,
  nameOf,
  thresholdOf,
  type TimeSpec,
} from './bar-spec.ts'
import type { BarTotals } from './bar-totals.ts'
import { finalityOf } from './finality.ts'
import { readBarsOfTrades } from './read-bars-of-trades.ts'
import { packOpenBar, readCountBars, unpackOpenBar } from './read-count-bars.ts'
import { presentBar, type RenderedBar } from './render-bar.ts'
import { readMinuteBars } from './read-minute-bars.ts'
import { type FoundBars, keyOfBar, type TimeBarRange, timeBarRange } from './time-bar-range.ts'
import { hasDaysWithoutBars } from './day-without-bars-queries.ts'

type BarPageRows = { bars: RenderedBar[]; next: { after: Key | undefined; state?: unknown } | undefined } & {
  hasMore: boolean
  isShort: boolean
}

/** The next page of bars, in the order (start, instrument). */
export async function listBars(
  deps: Deps,
  actor: UserActor,
  input: ListBars,
  requestId: string,
): Promise<RenderedPage> {
  const requested = requestedBarFilter(input)
  const request = await openPageRequest(deps, actor, { channel: 'bar', source: 'trade', body: input, requested })
  const spec = barOf(request.filter)
  const page = await (spec.by === 'time' ? timeBars(deps, request, spec) : countBars(deps, request, spec))
  const { bars, next, hasMore, isShort } = page
  const { filter, instruments } = request
  const warnings = isShort ? [...request.warnings, SHORT_PAGE] : request.warnings
  const nextCursor = next === undefined ? null : nextCursorOf(deps, request, next)
  const format = formatTimeAs(filter.time_format)
  const gaps = await gapsIn(deps.pool, 'trade', { instruments, filter, span: spanOf(request, spec) })
  const end = renderPageEnd(
    { filter, instruments, nextCursor, hasMore, warnings },
    { channel: 'trade', gaps, requestId },
  )
  return { json: `{"data":${JSON.stringify(bars.map((bar) => presentBar(bar, format)))},${end}`, rows: bars.length }
}

/** The last time bar is complete, so that it may end after the filter does. */
function spanOf({ filter, cursor: { after } }: PageRequest, spec: BarSpec): Span {
  if (spec.by !== 'time' || filter.end === undefined) return spanFrom(filter, after)
  const until = timeBarRange(clockOf(spec), filter, { instrumentIds: [], after: undefined }).until
  return spanFrom({ ...filter, end: String(until) }, after)
}

async function timeBars(
  deps: Deps,
  { cursor, filter, instruments, ...request }: PageRequest,
  spec: TimeSpec,
): Promise<BarPageRows> {
  const now = nanosecondsOf(request.now)
  const byId = new Map(instruments.map((instrument) => [instrument.instrumentId, instrument]))
  const range = timeBarRange(clockOf(spec), filter, { instrumentIds: [...byId.keys()], after: cursor.after })
  const found = await readTimeBars(deps, range, { limit: cursor.limit, spec })
  const bars = found.bars.flatMap(({ instrumentId, start, end, totals }): RenderedBar[] => {
    const instrument = byId.get(instrumentId)
    if (instrument === undefined) return []
    const finality = finalityOf(end, instrument, now)
    return [{ instrument, bar: nameOf(spec), start: String(start), end: String(end), totals, finality }]
  })
  const shared = request.isOpen ? sharedEnd(instruments, 'trade', filter, request.now).end : undefined
  const growing = bars.findIndex(({ finality, end }) => finality === 'forming' || isLater(end, shared))
  // An open-ended range ends before the first bar that is still forming, or to which another instrument may still add
  // one that precedes it, so that the next call reads it again.
  if (request.isOpen && growing !== -1) {
    const before = found.bars[growing - 1]
    const after = before === undefined ? cursor.after : keyOfBar(before)
    return { bars, next: { after }, hasMore: false, isShort: false }
  }
  const { hasMore, isShort, reached } = found
  return { bars, next: hasMore || request.isOpen ? { after: reached } : undefined, hasMore, isShort }
}

function isLater(end: string, shared: string | undefined): boolean {
  return shared !== undefined && compareNanoseconds(end, shared) > 0
}

/** Reads the stored one-minute bars if they include all trades of the range. */
export async function readTimeBars(
  deps: Deps,
  range: TimeBarRange,
  { limit, spec }: { limit: number; spec: TimeSpec },
): Promise<FoundBars> {
  if (!isOfMinutes(spec)) return readBarsOfTrades(deps, range, limit)
  const days = { firstDay: dayOf(String(range.from)), lastDay: dayOf(String(range.until)) }
  const isKept = !(await hasDaysWithoutBars(deps.pool, range.instrumentIds, days))
  return isKept ? readMinuteBars(deps.pool, range, limit) : readBarsOfTrades(deps, range, limit)
}

async function countBars(
  deps: Deps,
  { cursor, filter, instruments, ...request }: PageRequest,
  spec: CountSpec,
): Promise<BarPageRows> {
  const instrument = onlyOf(instruments)
  const { instrumentId } = instrument
  const place = { after: cursor.after, open: unpackOpenBar(cursor.state) }
  const shared = request.isOpen ? sharedEnd(instruments, 'trade', filter, request.now) : {}
  const range = { threshold: thresholdOf(spec), instrumentId, filter: { ...filter, ...shared }, ...place }
  const { complete, open, reached, hasMore, isShort } = await readCountBars(deps, range, cursor.limit)
  const rendered = (totals: BarTotals) => {
    const [start, end] = [totals.first.tsEvent, totals.last.tsEvent]
    return { instrument, bar: nameOf(spec), start, end, totals }
  }
  const now = nanosecondsOf(request.now)
  const bars = complete.map((totals): RenderedBar => {
    const isFinal = finalityOf(BigInt(totals.last.tsEvent) + 1n, instrument, now) === 'final'
    return { ...rendered(totals), finality: isFinal ? 'final' : 'revisable' }
  })
  if (!hasMore && open !== undefined && bars.length < cursor.limit)
    bars.push({ ...rendered(open), finality: 'forming' })
  const next = { after: reached, state: packOpenBar(open) }
  return { bars, next: hasMore || request.isOpen ? next : undefined, hasMore, isShort }
}

function onlyOf(instruments: readonly RegisteredInstrument[]): RegisteredInstrument {
  const [only, second] = instruments
  if (only === undefined || second !== undefined) throw invalid('/symbols', 'maxInstruments', '1')
  return only
}
