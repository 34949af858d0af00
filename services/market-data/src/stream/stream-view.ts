import type { Subscribed } from '@tapeline/contracts/market-data/stream'
import type { RegisteredInstrument } from '../instruments/instrument.ts'
import { fieldMatcherOf } from '../lake/reading/match-row.ts'
import type { Filter } from '../records/filter.ts'
import { formatRfc3339 } from '../nanoseconds.ts'
import { renderChannel } from '../records/render-channel.ts'
import { formatTimeAs } from '../records/render-record.ts'
import type { ChannelName } from '../tables.ts'
import type { View } from './feed-block.ts'

/** The records of the list call, with `ts_out`. */
export function viewOf(channel: ChannelName, filter: Filter, instruments: RegisteredInstrument[]): View {
  const { time_format, include, depth, side, price, size, types } = filter
  const render = renderChannel(channel, { filter, instruments }, ',')
  const formatTime = formatTimeAs(time_format)
  return {
    key: JSON.stringify([time_format, include, depth, side, price, size, types]),
    matches: fieldMatcherOf(channel, filter),
    renderNow() {
      const end = `,"ts_out":"${formatTime(nowNanoseconds())}"}`
      return (row) => render(row).slice(0, -1) + end
    },
  }
}

/** The instruments of a subscription as in `subscribed`. */
export function presentInstruments(instruments: readonly RegisteredInstrument[]): Subscribed['instruments'] {
  return instruments.map(({ venue, symbol, instrumentId }) => ({ venue, symbol, instrument_id: instrumentId }))
}

/** Nanosecond digits, as fine as the clock. */
export function nowNanoseconds(): string {
  return `${Math.round((performance.timeOrigin + performance.now()) * 1000)}000`
}

export function nowRfc3339(): string {
  return formatRfc3339(nowNanoseconds())
}
