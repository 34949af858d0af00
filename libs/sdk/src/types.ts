// Generated from the OpenAPI document by npm run golden. Do not edit.

export type Bar = {
  /** `venue:symbol:bar:start`, stable and unique. */
  id: string
  /** Trading venue, in lower case, such as `coinbase`. */
  venue: string
  /** Normalized symbol, such as `BTC-USD`. */
  symbol: string
  /** Symbol as the venue writes it. */
  venue_symbol: string
  /** Number of the instrument. It never changes and is never reused. */
  instrument_id: number
  /** Kind and size of the bar, such as `1m` or `ticks:100`. */
  bar: string
  /** Start of the interval; of other bars, time of the first trade. */
  ts_start: string
  /** End of the interval, exclusive; of other bars, time of the last trade. */
  ts_end: string
  /** Price of the first trade, a decimal as a string. */
  open: string
  /** Highest price, a decimal as a string. */
  high: string
  /** Lowest price, a decimal as a string. */
  low: string
  /** Price of the last trade, a decimal as a string. */
  close: string
  /** Sum of sizes, a decimal as a string. */
  volume: string
  /** Sum of price × size, a decimal as a string. */
  notional: string
  /** `notional` / `volume`, 18 significant digits, a decimal as a string; null without volume. */
  vwap: string | null
  /** Number of trades. */
  count: number
  /** `sequence` of the first trade. */
  first_sequence: string
  /** `sequence` of the last trade. */
  last_sequence: string
  /** `ts_event` of the first trade. */
  first_ts_event: string
  /** `ts_event` of the last trade. */
  last_ts_event: string
  /** `final` no longer changes, `revisable` may change, `forming` is still growing. */
  finality: 'final' | 'revisable' | 'forming'
}

export type BarPage = {
  /** The result of the call. */
  data: Bar[]
  /** Cursor of the next page; null on the last page. Without an `end` in the past, a list in ascending order has no last page: it continues with records that are stored later. */
  next_cursor: string | null
  /** True if further pages follow. */
  has_more: boolean
  /** Results before this time no longer change; null if the source does not report it. Of several instruments, the earliest of those that report it. */
  complete_through: string | null
  /** What exists for each instrument in the requested range. */
  coverage: {
    /** Trading venue, in lower case, such as `coinbase`. */
    venue: string
    /** Normalized symbol, such as `BTC-USD`. */
    symbol: string
    /** Start of the data within the range; null if there is none. */
    from: string | null
    /** End of the data within the range; null if there is none. */
    to: string | null
    /** `stored`, `gap` (data is missing) or `none`. */
    state: string
    /** Why data is missing; null if it is complete. */
    reason: string | null
    /** Results of this instrument before this time no longer change; null if its source does not report it. */
    complete_through: string | null
  }[]
  /** Conditions that did not fail the call, each with a code. */
  warnings: {
    /** Stable code of the warning. */
    code: string
    /** Human-readable text of the warning. */
    message: string
  }[]
  /** Size of the whole range in the accepted format, before compression. Only with `dry_run`. */
  estimate?: {
    /** Number of records. */
    records: number
    /** Number of bytes. */
    bytes: number
    /** False if a filter, a cursor or a long range of recent data makes `records` an estimate. */
    is_exact: boolean
  }
  /** Identifier of the request, 32 hexadecimal digits. Quote it to support, or pass it to `explain-request`. */
  request_id: string
}

export type Book = {
  /** Trading venue, in lower case, such as `coinbase`. */
  venue: string
  /** Normalized symbol, such as `BTC-USD`. */
  symbol: string
  /** Symbol as the venue writes it. */
  venue_symbol: string
  /** Number of the instrument. It never changes and is never reused. */
  instrument_id: number
  /** Time for which the book was rebuilt. */
  at: string
  /** `unknown` if messages were lost or no snapshot is stored before this time. */
  state: 'known' | 'unknown'
  /** `sequence` of the last event applied; null if the book is unknown. */
  sequence: string | null
  /** Incremented by each snapshot, clear and gap. Books of different epochs are not continuous. */
  book_epoch: number | null
  /** Time of the event at the venue, in the requested `time_format`. */
  ts_event: string | null
  /** Time at which Tapeline received the event, in the requested `time_format`. */
  ts_recv: string | null
  /** Levels per side that the venue publishes; null if it publishes all. */
  depth_limit: number | null
  /** Bids as [price, size], best first. Sizes are absolute; "0" removes the level. */
  bids: [string, string][]
  /** Asks as [price, size], best first. Sizes are absolute; "0" removes the level. */
  asks: [string, string][]
  /** Number of levels of the whole book. */
  levels: number
  /** Gap that makes the book unknown, or null. */
  gap: {
    /** Why events are missing. */
    reason: string
    /** Time of the last event before the gap. */
    from_ts: string | null
    /** Time of the first event after the gap; null while it lasts. */
    to_ts: string | null
  } | null
  /** Results before this time no longer change; null if the source does not report it. */
  complete_through: string | null
}

export type BookAnswer = {
  /** The result of the call. */
  data: Book
  /** Identifier of the request, 32 hexadecimal digits. Quote it to support, or pass it to `explain-request`. */
  request_id: string
}

export type DataFile = {
  /** Identifier, a UUID. */
  id: string
  /** Suggested file name. */
  name: string
  /** Trading venue, in lower case, such as `coinbase`. */
  venue: string
  /** Normalized symbol, such as `BTC-USD`. */
  symbol: string
  /** Kind of records. */
  channel: 'trades' | 'l2events'
  /** First UTC day whose rows the file contains, `YYYY-MM-DD`. */
  date: string
  /** UTC days whose rows the file contains, `YYYY-MM-DD`. Ignore rows of other days. */
  dates: string[]
  /** Number of rows. */
  rows: number
  /** Size in bytes. */
  bytes: number
  /** SHA-256 of the file, hexadecimal. */
  sha256: string
  /** Starts at 1, incremented each time the day gets another file. */
  revision: number
  /** `final` no longer changes, `revisable` may be replaced by a file with later data. */
  finality: 'final' | 'revisable'
  /** Time at which the file was sealed, RFC 3339. */
  sealed_at: string
}

export type FileList = {
  /** The result of the call. */
  data: DataFile[]
  /** Cursor of the next page; null on the last page. */
  next_cursor: string | null
  /** Identifier of the request, 32 hexadecimal digits. Quote it to support, or pass it to `explain-request`. */
  request_id: string
}

export type Instrument = {
  /** Number of the instrument. It never changes and is never reused. */
  instrument_id: number
  /** Trading venue, in lower case, such as `coinbase`. */
  venue: string
  /** Normalized symbol, such as `BTC-USD`. */
  symbol: string
  /** Symbol as the venue writes it. */
  venue_symbol: string
  /** Base asset. */
  base: string
  /** Quote currency. */
  quote: string
  /** Unit of sizes: the base asset, or contracts. */
  size_unit: string
  /** Precision of the venue’s times. */
  ts_event_precision: 'ns' | 'us' | 'ms'
  /** `spot`, `perpetual` future, or `dated` future. */
  kind: 'spot' | 'perpetual' | 'dated'
  /** Smallest price increment, a decimal as a string; null if the source does not state it. */
  tick: string | null
  /** Smallest size increment, a decimal as a string; null if the source does not state it. */
  lot: string | null
  /** Value of one contract as the venue defines it; null if sizes are amounts of the base asset. */
  multiplier: string | null
  /** Other symbols that select this instrument. */
  aliases: string[]
  /** Time of listing, RFC 3339; null if unknown. */
  valid_from: string | null
  /** Time of expiry or delisting, RFC 3339; null while listed. */
  valid_to: string | null
  /** `ts_event` of the first stored record; null if there is none. */
  first_ts_event: string | null
  /** `ts_event` of the last stored record; null if there is none. */
  last_ts_event: string | null
  /** Number of stored trades. */
  trades: number
  /** Number of stored L2 events. */
  l2_events: number
}

export type InstrumentList = {
  /** The result of the call. */
  data: Instrument[]
  /** Identifier of the request, 32 hexadecimal digits. Quote it to support, or pass it to `explain-request`. */
  request_id: string
}

export type L2Event = {
  /** `venue:symbol:source id`, stable and unique. */
  id: string
  /** Trading venue, in lower case, such as `coinbase`. */
  venue: string
  /** Normalized symbol, such as `BTC-USD`. */
  symbol: string
  /** Symbol as the venue writes it. */
  venue_symbol: string
  /** Number of the instrument. It never changes and is never reused. */
  instrument_id: number
  /** Time of the event at the venue, in the requested `time_format`. */
  ts_event: string
  /** Time at which Tapeline received the event, in the requested `time_format`. */
  ts_recv: string
  /** Position of the record in its instrument and channel, +1 per record without gaps, as digits. */
  sequence: string
  /** Marks of the record: `replayed`, `late`, `bad_ts_event`, `bad_ts_recv`, `off_book`. */
  flags: string[]
  /** `snapshot` replaces the book, `update` changes levels, `clear` empties it, `gap` marks missing events. */
  type: 'snapshot' | 'update' | 'clear' | 'gap'
  /** `sequence` of the event before; null for the first one. */
  prev_sequence: string | null
  /** First update identifier of the venue that the event covers; null if it gives none. */
  venue_first_id: string | null
  /** Last update identifier of the venue that the event covers; null if it gives none. */
  venue_last_id: string | null
  /** Update identifier of the venue before this event; null if it gives none. */
  venue_prev_id: string | null
  /** Bids as [price, size], best first. Sizes are absolute; "0" removes the level. */
  bids: [string, string][]
  /** Asks as [price, size], best first. Sizes are absolute; "0" removes the level. */
  asks: [string, string][]
  /** Levels per side that the venue publishes; null if it publishes all. */
  depth_limit: number | null
  /** Incremented by each snapshot, clear and gap. Books of different epochs are not continuous. */
  book_epoch: number
  /** Checksum that the venue sent with the event; null if it sends none. */
  checksum: string | null
  /** Whether the checksum matched the rebuilt book; `absent` if the venue sends none. */
  checksum_status: 'ok' | 'mismatch' | 'absent'
  /** Missing events, present only for gaps. */
  gap?: {
    /** Why events are missing. */
    reason: string
    /** Last `sequence` before the gap. */
    from_sequence: string | null
    /** Time of the last event before the gap. */
    from_ts: string | null
    /** Time of the first event after the gap; null while it lasts. */
    to_ts: string | null
    /** True if the missing events may still be added. */
    recoverable: boolean
  }
}

export type L2EventPage = {
  /** The result of the call. */
  data: L2Event[]
  /** Cursor of the next page; null on the last page. Without an `end` in the past, a list in ascending order has no last page: it continues with records that are stored later. */
  next_cursor: string | null
  /** True if further pages follow. */
  has_more: boolean
  /** Results before this time no longer change; null if the source does not report it. Of several instruments, the earliest of those that report it. */
  complete_through: string | null
  /** What exists for each instrument in the requested range. */
  coverage: {
    /** Trading venue, in lower case, such as `coinbase`. */
    venue: string
    /** Normalized symbol, such as `BTC-USD`. */
    symbol: string
    /** Start of the data within the range; null if there is none. */
    from: string | null
    /** End of the data within the range; null if there is none. */
    to: string | null
    /** `stored`, `gap` (data is missing) or `none`. */
    state: string
    /** Why data is missing; null if it is complete. */
    reason: string | null
    /** Results of this instrument before this time no longer change; null if its source does not report it. */
    complete_through: string | null
  }[]
  /** Conditions that did not fail the call, each with a code. */
  warnings: {
    /** Stable code of the warning. */
    code: string
    /** Human-readable text of the warning. */
    message: string
  }[]
  /** Size of the whole range in the accepted format, before compression. Only with `dry_run`. */
  estimate?: {
    /** Number of records. */
    records: number
    /** Number of bytes. */
    bytes: number
    /** False if a filter, a cursor or a long range of recent data makes `records` an estimate. */
    is_exact: boolean
  }
  /** Identifier of the request, 32 hexadecimal digits. Quote it to support, or pass it to `explain-request`. */
  request_id: string
}

export type L2Level = {
  /** `venue:symbol:source id` of the event that the level belongs to. */
  id: string
  /** Trading venue, in lower case, such as `coinbase`. */
  venue: string
  /** Normalized symbol, such as `BTC-USD`. */
  symbol: string
  /** Symbol as the venue writes it. */
  venue_symbol: string
  /** Number of the instrument. It never changes and is never reused. */
  instrument_id: number
  /** Time of the event at the venue, in the requested `time_format`. */
  ts_event: string
  /** Time at which Tapeline received the event, in the requested `time_format`. */
  ts_recv: string
  /** Position of the record in its instrument and channel, +1 per record without gaps, as digits. */
  sequence: string
  /** Marks of the record: `replayed`, `late`, `bad_ts_event`, `bad_ts_recv`, `off_book`. */
  flags: string[]
  /** `snapshot` replaces the book, `update` changes levels, `clear` empties it, `gap` marks missing events. */
  type: 'snapshot' | 'update' | 'clear' | 'gap'
  /** Incremented by each snapshot, clear and gap. Books of different epochs are not continuous. */
  book_epoch: number
  /** True if the level belongs to a snapshot. */
  is_snapshot: boolean
  /** Side of the book: `bid` or `ask`; null for an event without levels. */
  side: 'bid' | 'ask' | null
  /** Price of the level, a decimal as a string; null for an event without levels. */
  price: string | null
  /** Absolute size of the level, a decimal as a string; "0" removes the level. */
  amount: string | null
}

export type L2LevelPage = {
  /** The result of the call. */
  data: L2Level[]
  /** Cursor of the next page; null on the last page. Without an `end` in the past, a list in ascending order has no last page: it continues with records that are stored later. */
  next_cursor: string | null
  /** True if further pages follow. */
  has_more: boolean
  /** Results before this time no longer change; null if the source does not report it. Of several instruments, the earliest of those that report it. */
  complete_through: string | null
  /** What exists for each instrument in the requested range. */
  coverage: {
    /** Trading venue, in lower case, such as `coinbase`. */
    venue: string
    /** Normalized symbol, such as `BTC-USD`. */
    symbol: string
    /** Start of the data within the range; null if there is none. */
    from: string | null
    /** End of the data within the range; null if there is none. */
    to: string | null
    /** `stored`, `gap` (data is missing) or `none`. */
    state: string
    /** Why data is missing; null if it is complete. */
    reason: string | null
    /** Results of this instrument before this time no longer change; null if its source does not report it. */
    complete_through: string | null
  }[]
  /** Conditions that did not fail the call, each with a code. */
  warnings: {
    /** Stable code of the warning. */
    code: string
    /** Human-readable text of the warning. */
    message: string
  }[]
  /** Size of the whole range in the accepted format, before compression. Only with `dry_run`. */
  estimate?: {
    /** Number of records. */
    records: number
    /** Number of bytes. */
    bytes: number
    /** False if a filter, a cursor or a long range of recent data makes `records` an estimate. */
    is_exact: boolean
  }
  /** Identifier of the request, 32 hexadecimal digits. Quote it to support, or pass it to `explain-request`. */
  request_id: string
}

export type LimitWindow = {
  /** Whether the limit is that of the account or of the key. */
  scope: 'account' | 'key'
  /** Limit: `burst` (per second), `min`, `hour`, `day`, `month`, or `conc` (concurrent requests). */
  policy: 'burst' | 'min' | 'hour' | 'day' | 'month' | 'conc'
  /** Amount used. */
  used: number
  /** Maximum. */
  limit: number
  /** Amount left. */
  remaining: number
  /** Milliseconds until the window frees capacity; null for concurrent requests. */
  reset_ms: number | null
}

export type LimitsReport = {
  /** Plan: `free`, `basic` or `pro`. */
  tier: 'free' | 'basic' | 'pro'
  /** True if Redis is unavailable and the gateway applies its share of the limits. */
  degraded: boolean
  /** Identifier of the key, or `session`. */
  key_id: string | null
  /** Current month of the subscription. */
  month: {
    /** Start of the period, inclusive, RFC 3339. */
    from: string
    /** End of the period, exclusive, RFC 3339. */
    to: string
  }
  /** Every limit with its current usage. */
  windows: LimitWindow[]
  /** Limits of live streams. */
  stream: {
    /** Live streams open now. */
    connections: {
      /** Amount used. */
      used: number
      /** Maximum. */
      limit: number
      /** Amount left. */
      remaining: number
    }
    /** Messages per second that each live stream receives. */
    messages_per_second: number
  }
}

export type ListBars = {
  /** Venues to include, at most 50; all by default. */
  venues?: string[]
  /** Symbols to include, at most 50; all by default. */
  symbols?: string[]
  /** Start of the range, inclusive: RFC 3339, a date, or nanoseconds since 1970 as digits. */
  start?: string
  /** End of the range, exclusive: RFC 3339, a date, or nanoseconds since 1970 as digits. */
  end?: string
  /** Format of times in the response: `rfc3339`, or `unix_ns` for nanoseconds since 1970 as digits. */
  time_format?: 'rfc3339' | 'unix_ns'
  /** Order of `ts_event`: `asc` (oldest first) or `desc`. */
  order?: 'asc' | 'desc'
  /** Cursor of the page to read, as returned by the previous page in `next_cursor`. */
  cursor?: string | null
  /** Bars per page. */
  limit?: number
  /** Length of a time bar; `1m` by default. Send at most one of `interval`, `ticks`, `volume` and `dollars`. */
  interval?:
    | '1s'
    | '5s'
    | '10s'
    | '15s'
    | '30s'
    | '1m'
    | '5m'
    | '10m'
    | '15m'
    | '30m'
    | '1h'
    | '2h'
    | '4h'
    | '6h'
    | '12h'
    | '1d'
  /** IANA time zone, such as `America/New_York`. Bars begin at local midnight. */
  time_zone?: string
  /** Number of trades per bar. */
  ticks?: number
  /** Sum of sizes that completes a bar, a decimal as a string. */
  volume?: string
  /** Sum of price × size that completes a bar, in the quote currency, a decimal as a string. */
  dollars?: string
}

export type ListL2Events = {
  /** Venues to include, at most 50; all by default. */
  venues?: string[]
  /** Symbols to include, at most 50; all by default. */
  symbols?: string[]
  /** Start of the range, inclusive: RFC 3339, a date, or nanoseconds since 1970 as digits. */
  start?: string
  /** End of the range, exclusive: RFC 3339, a date, or nanoseconds since 1970 as digits. */
  end?: string
  /** Time that `start` and `end` bound. Records are always in the order of `ts_event`; with `ts_recv`, records whose two times differ by more than an hour are not found. */
  time_field?: 'ts_event' | 'ts_recv'
  /** Returns what was stored at this time, without records that arrived later: RFC 3339, a date, or nanoseconds since 1970 as digits. Older than 30 days: whole hours only. */
  as_of?: string | null
  /** Format of times in the response: `rfc3339`, or `unix_ns` for nanoseconds since 1970 as digits. */
  time_format?: 'rfc3339' | 'unix_ns'
  /** Order of `ts_event`: `asc` (oldest first) or `desc`. */
  order?: 'asc' | 'desc'
  /** Records per page: at most 10,000 as JSON, 1,000,000 in streamed formats. */
  limit?: number
  /** Cursor of the page to read, as returned by the previous page in `next_cursor`. */
  cursor?: string | null
  /** Returns the number of records and bytes of the whole range instead of records. */
  dry_run?: boolean
  /** Types of events to include. */
  types?: ('snapshot' | 'update' | 'clear' | 'gap')[]
  /** Maximum number of levels per side, best first. */
  depth?: number
  /** `events`: one record per event. `levels`: one record per level, the only layout of tables such as CSV. */
  layout?: 'events' | 'levels'
}

export type ListQuotes = {
  /** Venues to include, at most 50; all by default. */
  venues?: string[]
  /** Symbols to include, at most 50; all by default. */
  symbols?: string[]
  /** Start of the range, inclusive: RFC 3339, a date, or nanoseconds since 1970 as digits. */
  start?: string
  /** End of the range, exclusive: RFC 3339, a date, or nanoseconds since 1970 as digits. */
  end?: string
  /** Format of times in the response: `rfc3339`, or `unix_ns` for nanoseconds since 1970 as digits. */
  time_format?: 'rfc3339' | 'unix_ns'
  /** Order of `ts_event`: `asc` (oldest first) or `desc`. */
  order?: 'asc' | 'desc'
  /** Cursor of the page to read, as returned by the previous page in `next_cursor`. */
  cursor?: string | null
  /** Quotes per page. */
  limit?: number
}

export type ListTrades = {
  /** Venues to include, at most 50; all by default. */
  venues?: string[]
  /** Symbols to include, at most 50; all by default. */
  symbols?: string[]
  /** Start of the range, inclusive: RFC 3339, a date, or nanoseconds since 1970 as digits. */
  start?: string
  /** End of the range, exclusive: RFC 3339, a date, or nanoseconds since 1970 as digits. */
  end?: string
  /** Time that `start` and `end` bound. Records are always in the order of `ts_event`; with `ts_recv`, records whose two times differ by more than an hour are not found. */
  time_field?: 'ts_event' | 'ts_recv'
  /** Returns what was stored at this time, without records that arrived later: RFC 3339, a date, or nanoseconds since 1970 as digits. Older than 30 days: whole hours only. */
  as_of?: string | null
  /** Format of times in the response: `rfc3339`, or `unix_ns` for nanoseconds since 1970 as digits. */
  time_format?: 'rfc3339' | 'unix_ns'
  /** Order of `ts_event`: `asc` (oldest first) or `desc`. */
  order?: 'asc' | 'desc'
  /** Records per page: at most 10,000 as JSON, 1,000,000 in streamed formats. */
  limit?: number
  /** Cursor of the page to read, as returned by the previous page in `next_cursor`. */
  cursor?: string | null
  /** Returns the number of records and bytes of the whole range instead of records. */
  dry_run?: boolean
  /** Only trades with this taker side. */
  side?: 'buy' | 'sell' | 'unknown'
  /** Only trades with prices in this range. Prices are decimals as strings. */
  price?: {
    /** Greater than this decimal. */
    gt?: string
    /** Greater than or equal to this decimal. */
    gte?: string
    /** Less than this decimal. */
    lt?: string
    /** Less than or equal to this decimal. */
    lte?: string
  }
  /** Only trades with sizes in this range. Sizes are decimals as strings. */
  size?: {
    /** Greater than this decimal. */
    gt?: string
    /** Greater than or equal to this decimal. */
    gte?: string
    /** Less than this decimal. */
    lt?: string
    /** Less than or equal to this decimal. */
    lte?: string
  }
  /** Optional fields to include in each record. */
  include?: 'conditions'[]
}

export type Plan = {
  /** Plan: `free`, `basic` or `pro`. */
  tier: 'free' | 'basic' | 'pro'
  /** Display name. */
  name: string
  /** The trial in progress, or null. */
  trial: RunningTrial | null
  /** Trials of each plan. */
  trials: TrialOffer[]
  /** Limits that apply to the account. */
  rate_limits: TierLimits
  /** True if the account has custom limits instead of those of its plan. */
  has_own_limits: boolean
  /** Which features the plan includes. */
  features: TierFeatures
  /** Version of the object. It grows with every change; send the one you read to detect concurrent changes. */
  version: number
  /** Seconds after which every gateway process applies the change at the latest. Absent if it already applies. */
  effective_within_seconds?: number
}

export type Quote = {
  /** `venue:symbol:quote:sequence`, stable and unique. */
  id: string
  /** Trading venue, in lower case, such as `coinbase`. */
  venue: string
  /** Normalized symbol, such as `BTC-USD`. */
  symbol: string
  /** Symbol as the venue writes it. */
  venue_symbol: string
  /** Number of the instrument. It never changes and is never reused. */
  instrument_id: number
  /** Time of the event at the venue, in the requested `time_format`. */
  ts_event: string
  /** Time at which Tapeline received the event, in the requested `time_format`. */
  ts_recv: string
  /** Position of the record in its instrument and channel, +1 per record without gaps, as digits. */
  sequence: string
  /** Incremented by each snapshot, clear and gap. Books of different epochs are not continuous. */
  book_epoch: number
  /** `unknown` while events are missing since the last snapshot. */
  state: 'known' | 'unknown'
  /** Best bid, a decimal as a string; null if there is none. */
  bid_price: string | null
  /** Size at the best bid, a decimal as a string; null if there is none. */
  bid_size: string | null
  /** Best ask, a decimal as a string; null if there is none. */
  ask_price: string | null
  /** Size at the best ask, a decimal as a string; null if there is none. */
  ask_size: string | null
}

export type QuotePage = {
  /** The result of the call. */
  data: Quote[]
  /** Cursor of the next page; null on the last page. Without an `end` in the past, a list in ascending order has no last page: it continues with records that are stored later. */
  next_cursor: string | null
  /** True if further pages follow. */
  has_more: boolean
  /** Results before this time no longer change; null if the source does not report it. Of several instruments, the earliest of those that report it. */
  complete_through: string | null
  /** What exists for each instrument in the requested range. */
  coverage: {
    /** Trading venue, in lower case, such as `coinbase`. */
    venue: string
    /** Normalized symbol, such as `BTC-USD`. */
    symbol: string
    /** Start of the data within the range; null if there is none. */
    from: string | null
    /** End of the data within the range; null if there is none. */
    to: string | null
    /** `stored`, `gap` (data is missing) or `none`. */
    state: string
    /** Why data is missing; null if it is complete. */
    reason: string | null
    /** Results of this instrument before this time no longer change; null if its source does not report it. */
    complete_through: string | null
  }[]
  /** Conditions that did not fail the call, each with a code. */
  warnings: {
    /** Stable code of the warning. */
    code: string
    /** Human-readable text of the warning. */
    message: string
  }[]
  /** Size of the whole range in the accepted format, before compression. Only with `dry_run`. */
  estimate?: {
    /** Number of records. */
    records: number
    /** Number of bytes. */
    bytes: number
    /** False if a filter, a cursor or a long range of recent data makes `records` an estimate. */
    is_exact: boolean
  }
  /** Identifier of the request, 32 hexadecimal digits. Quote it to support, or pass it to `explain-request`. */
  request_id: string
}

export type ReadBook = {
  /** Trading venue, in lower case, such as `coinbase`. */
  venue: string
  /** Normalized symbol, such as `BTC-USD`. */
  symbol: string
  /** Time of the book: RFC 3339, a date, or nanoseconds since 1970 as digits. */
  at?: string
  /** Maximum number of levels per side, best first. */
  depth?: number
  /** Format of times in the response: `rfc3339`, or `unix_ns` for nanoseconds since 1970 as digits. */
  time_format?: 'rfc3339' | 'unix_ns'
}

export type RunningTrial = {
  /** Plan: `free`, `basic` or `pro`. */
  tier: 'free' | 'basic' | 'pro'
  /** End of the trial, RFC 3339. */
  ends_at: string
  /** Days left, rounded up. */
  days_left: number
  /** Plan after the trial. */
  tier_after: 'free' | 'basic' | 'pro'
}

export type TierFeatures = {
  /** API access. */
  apiAccess: boolean
  /** Live streams. */
  realTimeData: boolean
  /** Historical data. */
  historicalData: boolean
  /** Basic analytics. */
  basicAnalytics: boolean
  /** Comparison with earlier periods and breakdowns. */
  advancedAnalytics: boolean
  /** Custom reports. */
  customReports: boolean
  /** Exports and files. */
  dataExport: boolean
  /** Webhooks. */
  webhooks: boolean
  /** Management of API keys. */
  apiKeyManagement: boolean
  /** Support by email. */
  emailSupport: boolean
  /** Priority support. */
  prioritySupport: boolean
  /** Dedicated support. */
  dedicatedSupport: boolean
}

export type TierLimits = {
  /** Requests per minute. */
  requestsPerMinute: number
  /** Requests per hour. */
  requestsPerHour: number
  /** Requests per day. */
  requestsPerDay: number
  /** Requests per month of the subscription. */
  requestsPerMonth: number
  /** Requests per rolling second. */
  burstLimit: number
  /** Requests in progress at the same time. */
  concurrentRequests: number
  /** Live streams open at the same time. */
  streamConnections?: number
  /** Messages per second that each live stream receives. */
  streamMessagesPerSecond?: number
}

export type Trade = {
  /** `venue:symbol:source id`, stable and unique. */
  id: string
  /** Trading venue, in lower case, such as `coinbase`. */
  venue: string
  /** Normalized symbol, such as `BTC-USD`. */
  symbol: string
  /** Symbol as the venue writes it. */
  venue_symbol: string
  /** Number of the instrument. It never changes and is never reused. */
  instrument_id: number
  /** Time of the event at the venue, in the requested `time_format`. */
  ts_event: string
  /** Time at which Tapeline received the event, in the requested `time_format`. */
  ts_recv: string
  /** Position of the record in its instrument and channel, +1 per record without gaps, as digits. */
  sequence: string
  /** Marks of the record: `replayed`, `late`, `bad_ts_event`, `bad_ts_recv`, `off_book`. */
  flags: string[]
  /** Identifier that the venue gave the trade; null if it gives none. */
  trade_id: string | null
  /** Sequence number that the venue gave the event; null if it gives none. */
  venue_sequence: string | null
  /** Price in the quote currency, an exact decimal as a string. */
  price: string
  /** Size in the instrument’s `size_unit`, an exact decimal as a string. */
  size: string
  /** Side of the taker: `buy`, `sell`, or `unknown`. */
  side: 'buy' | 'sell' | 'unknown'
  /** How the side was determined: `venue`, `maker_inverted`, `estimated` or `none`. */
  side_source: string
  /** Trade conditions of the venue, with `include: ["conditions"]`. */
  conditions?: string[]
}

export type TradePage = {
  /** The result of the call. */
  data: Trade[]
  /** Cursor of the next page; null on the last page. Without an `end` in the past, a list in ascending order has no last page: it continues with records that are stored later. */
  next_cursor: string | null
  /** True if further pages follow. */
  has_more: boolean
  /** Results before this time no longer change; null if the source does not report it. Of several instruments, the earliest of those that report it. */
  complete_through: string | null
  /** What exists for each instrument in the requested range. */
  coverage: {
    /** Trading venue, in lower case, such as `coinbase`. */
    venue: string
    /** Normalized symbol, such as `BTC-USD`. */
    symbol: string
    /** Start of the data within the range; null if there is none. */
    from: string | null
    /** End of the data within the range; null if there is none. */
    to: string | null
    /** `stored`, `gap` (data is missing) or `none`. */
    state: string
    /** Why data is missing; null if it is complete. */
    reason: string | null
    /** Results of this instrument before this time no longer change; null if its source does not report it. */
    complete_through: string | null
  }[]
  /** Conditions that did not fail the call, each with a code. */
  warnings: {
    /** Stable code of the warning. */
    code: string
    /** Human-readable text of the warning. */
    message: string
  }[]
  /** Size of the whole range in the accepted format, before compression. Only with `dry_run`. */
  estimate?: {
    /** Number of records. */
    records: number
    /** Number of bytes. */
    bytes: number
    /** False if a filter, a cursor or a long range of recent data makes `records` an estimate. */
    is_exact: boolean
  }
  /** Identifier of the request, 32 hexadecimal digits. Quote it to support, or pass it to `explain-request`. */
  request_id: string
}

export type TrialOffer = {
  /** Plan: `free`, `basic` or `pro`. */
  tier: 'basic' | 'pro'
  /** Length of the trial in days. */
  days: number
  /** Whether the trial can be started, and if not, why. */
  state: 'available' | 'running' | 'used' | 'included' | 'not_offered'
}

/** List trades. */
export type ListTradesBody = ListTrades

/** List trades. */
export type ListTradesAnswer = TradePage

/** List bars. */
export type ListBarsBody = ListBars

/** List bars. */
export type ListBarsAnswer = BarPage

/** List L2 events. */
export type ListL2EventsBody = ListL2Events

/** List L2 events. */
export type ListL2EventsAnswer = L2EventPage | L2LevelPage

/** List quotes. */
export type ListQuotesBody = ListQuotes

/** List quotes. */
export type ListQuotesAnswer = QuotePage

/** Read an order book at a given time. */
export type ReadBookBody = ReadBook

/** Read an order book at a given time. */
export type ReadBookAnswer = BookAnswer

/** List instruments. */
export type ListInstrumentsAnswer = InstrumentList

/** List sealed days as files. */
export type ListFilesQuery = {
  venue?: string
  symbol?: string
  channel?: 'trades' | 'l2events'
  from?: string
  to?: string
  limit?: number
  cursor?: string
}

/** List sealed days as files. */
export type ListFilesAnswer = FileList

/** Read limits and remaining requests. */
export type ReadLimitsAnswer = {
  /** True if the call succeeded. Problems have false. */
  success: boolean
  /** Human-readable message about the result. Its text may change; match on codes instead. */
  message: string
  /** The result of the call. */
  data: LimitsReport
}
