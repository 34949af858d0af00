import type { ChannelName } from '../tables.ts'

export const SIM_VENUE = 'sim'

export type InstrumentSpec = {
  venue: string
  /** Canonical, BASE-QUOTE. */
  symbol: string
  venueSymbol: string
  base: string
  quote: string
  sizeUnit: string
  tsEventPrecision: 'ns' | 'us' | 'ms'
}

export type ChannelInfo = {
  rows: number
  /** Nanosecond digits, as are all times here. */
  firstTsEvent: string | null
  lastTsEvent: string | null
  completeThrough: string | null
  retainedFrom: string
}

export type KnownInstrument = InstrumentSpec & { instrumentId: number; channels: Record<ChannelName, ChannelInfo> }
