import type { KnownInstrument } from '../instruments/instrument.ts'
import { compareNanoseconds } from '../nanoseconds.ts'
import type { ChannelName } from '../tables.ts'
import type { Filter } from './filter.ts'
import type { Gap } from './record-queries.ts'
import type { FormatTime } from './render-record.ts'

export type Coverage = {
  venue: string
  symbol: string
  from: string | null
  to: string | null
  state: string
  reason: string | null
}

/** What is stored of the range that was asked for, per instrument, then the gaps in it. */
export function coverageOf(
  instruments: readonly KnownInstrument[],
  channel: ChannelName,
  filter: Filter,
  format: FormatTime,
) {
  return instruments.map((instrument): Coverage => {
    const { venue, symbol } = instrument
    const { firstTsEvent, lastTsEvent, retainedFrom } = instrument.channels[channel]
    const none = { venue, symbol, from: null, to: null, state: 'none' }
    if (firstTsEvent === null || lastTsEvent === null) return { ...none, reason: 'nothing_stored' }
    const from = laterOf(firstTsEvent, filter.start)
    const to = earlierOf(lastTsEvent, filter.end)
    if (compareNanoseconds(from, to) > 0) return { ...none, reason: 'outside_of_what_is_stored' }
    const isCut = retainedFrom !== '0' && compareNanoseconds(filter.start ?? '0', retainedFrom) < 0
    return { venue, symbol, from: format(from), to: format(to), state: 'stored', reason: isCut ? 'retention' : null }
  })
}

export function gapCoverage(instruments: readonly KnownInstrument[], gaps: Gap[], format: FormatTime): Coverage[] {
  return gaps.flatMap(({ instrumentId, fromTs, toTs, reason }) => {
    const instrument = instruments.find((one) => one.instrumentId === instrumentId)
    if (instrument === undefined) return []
    const { venue, symbol } = instrument
    return [{ venue, symbol, from: fromTs === null ? null : format(fromTs), to: format(toTs), state: 'gap', reason }]
  })
}

/** Rows before this time no longer change; null when that is not known of one of the instruments. */
export function completeThrough(instruments: readonly KnownInstrument[], channel: ChannelName): string | null {
  const known = instruments.map((instrument) => instrument.channels[channel].completeThrough)
  return known.reduce(
    (least, time) => (least === null || time === null ? null : earlierOf(least, time)),
    known[0] ?? null,
  )
}

function laterOf(one: string, other: string | undefined): string {
  return other !== undefined && compareNanoseconds(other, one) > 0 ? other : one
}

function earlierOf(one: string, other: string | undefined): string {
  return other !== undefined && compareNanoseconds(other, one) < 0 ? other : one
}
