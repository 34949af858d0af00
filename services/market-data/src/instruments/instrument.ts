import type { ChannelName } from '../tables.ts'

export const SIM_VENUE = 'sim'

export type InstrumentKind = 'spot' | 'perpetual' | 'dated'

export type InstrumentSpec = {
  venue: string
  /** Canonical: BASE-QUOTE, BASE-QUOTE-PERP or BASE-QUOTE-YYYYMMDD. */
  symbol: string
  venueSymbol: string
  base: string
  quote: string
  sizeUnit: string
  tsEventPrecision: 'ns' | 'us' | 'ms'
  kind: InstrumentKind
} & Partial<InstrumentTerms>

/** Terms that a source may omit. */
export type InstrumentTerms = {
  /** Minimum increments of price and size, as decimals. */
  tick: string | null
  lot: string | null
  /** Value of one contract, in the quote or base currency, as the venue defines it. */
  multiplier: string | null
  /** Other names of it, such as those of data vendors. */
  aliases: readonly string[]
  /** An end without a start is an expiry whose listing is unknown. */
  validFrom: Date | null
  validTo: Date | null
}

export type ChannelInfo = {
  rows: number
  /** Nanosecond digits, as are all times here. */
  firstTsEvent: string | null
  lastTsEvent: string | null
  completeThrough: string | null
  retainedFrom: string
}

export type RegisteredInstrument = InstrumentSpec &
  InstrumentTerms & { instrumentId: number; channels: Record<ChannelName, ChannelInfo>; hasTradeGaps: boolean }
