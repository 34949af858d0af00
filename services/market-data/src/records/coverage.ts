import type { RegisteredInstrument } from '../instruments/instrument.ts'
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

export function gapCoverage(instruments: readonly RegisteredInstrument[], gaps: Gap[], format: FormatTime): Coverage[] {
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
