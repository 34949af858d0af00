import { type Static, Type } from 'typebox'

export const PAGE_SIZE_DEFAULT = 100
export const PAGE_SIZE_MAX = 10_000
/** Records of one streamed answer. */
export const STREAM_ROWS_MAX = 1_000_000
export const NDJSON_TYPE = 'application/x-ndjson'
export const CSV_TYPE = 'text/csv'
export const ARROW_TYPE = 'application/vnd.apache.arrow.stream'
/** Media types of answers that are streamed for as long as the client reads them. */
export const STREAM_TYPES: readonly string[] = [NDJSON_TYPE, CSV_TYPE, ARROW_TYPE]

const Names = Type.Array(Type.String({ minLength: 1, maxLength: 40 }), { minItems: 1, maxItems: 50 })
/** RFC 3339, a date, or nanoseconds since 1970 as digits. */
export const TimeInput = Type.String({ minLength: 8, maxLength: 40 })
export const TimeFormat = Type.Union([Type.Literal('rfc3339'), Type.Literal('unix_ns')])
const DecimalInput = Type.String({ pattern: '^\\d{1,20}(\\.\\d{1,18})?$' })
const DecimalRange = Type.Object(
  {
    gt: Type.Optional(DecimalInput),
    gte: Type.Optional(DecimalInput),
    lt: Type.Optional(DecimalInput),
    lte: Type.Optional(DecimalInput),
  },
  { additionalProperties: false },
)

/** Fields of every call that reads records. */
export const selectionFields = {
  venues: Type.Optional(Names),
  symbols: Type.Optional(Names),
  /** Inclusive. */
  start: Type.Optional(TimeInput),
  /** Exclusive. */
  end: Type.Optional(TimeInput),
  /** The time to which `start` and `end` apply; the order is always that of `ts_event`. */
  time_field: Type.Optional(Type.Union([Type.Literal('ts_event'), Type.Literal('ts_recv')])),
  /** Returns the data as stored at this time, without records that arrived later. */
  as_of: Type.Optional(Type.Union([TimeInput, Type.Null()])),
  time_format: Type.Optional(TimeFormat),
}

/** Fields of every call that reads pages of records. */
export const walkFields = {
  order: Type.Optional(Type.Union([Type.Literal('asc'), Type.Literal('desc')])),
  /** Maximum number of records: up to 10,000 as JSON, 1,000,000 in streamed formats. */
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: STREAM_ROWS_MAX })),
  /** Contains the whole filter, so its length allows for more than fifty symbols. */
  cursor: Type.Optional(Type.Union([Type.String({ maxLength: 8000 }), Type.Null()])),
  /** Returns only the number of records and bytes of the whole range. */
  dry_run: Type.Optional(Type.Boolean()),
}

const tradeFields = {
  side: Type.Optional(Type.Union([Type.Literal('buy'), Type.Literal('sell'), Type.Literal('unknown')])),
  price: Type.Optional(DecimalRange),
  size: Type.Optional(DecimalRange),
  include: Type.Optional(Type.Array(Type.Literal('conditions'), { maxItems: 1 })),
}

export const ListTrades = Type.Object(
  { ...selectionFields, ...walkFields, ...tradeFields },
  { additionalProperties: false },
)
export type ListTrades = Static<typeof ListTrades>

/** The newest trade that the filter selects: the first one of the list with `order: desc`. */
export const LatestTrade = Type.Object({ ...selectionFields, ...tradeFields }, { additionalProperties: false })
export type LatestTrade = Static<typeof LatestTrade>

const L2Type = Type.Union([
  Type.Literal('snapshot'),
  Type.Literal('update'),
  Type.Literal('clear'),
  Type.Literal('gap'),
])

const l2Fields = {
  types: Type.Optional(Type.Array(L2Type, { minItems: 1, maxItems: 4 })),
  /** Maximum number of levels per side, best first. */
  depth: Type.Optional(Type.Integer({ minimum: 1, maximum: 5000 })),
  /** `levels`: a record per level instead of one per event; the only layout of tables such as CSV. */
  layout: Type.Optional(Type.Union([Type.Literal('events'), Type.Literal('levels')])),
}

export const ListL2Events = Type.Object(
  { ...selectionFields, ...walkFields, ...l2Fields },
  { additionalProperties: false },
)
export type ListL2Events = Static<typeof ListL2Events>

/** The newest book event that the filter selects. */
export const LatestL2Event = Type.Object({ ...selectionFields, ...l2Fields }, { additionalProperties: false })
export type LatestL2Event = Static<typeof LatestL2Event>

const header = {
  /** `venue:symbol:source id`, stable and unique. */
  id: Type.String(),
  venue: Type.String(),
  symbol: Type.String(),
  venue_symbol: Type.String(),
  instrument_id: Type.Integer(),
  ts_event: Type.String(),
  ts_recv: Type.String(),
  /** Gapless, +1 per instrument and channel, as a digit string. */
  sequence: Type.String(),
  flags: Type.Array(Type.String()),
}

export const Trade = Type.Object({
  ...header,
  trade_id: Type.Union([Type.String(), Type.Null()]),
  venue_sequence: Type.Union([Type.String(), Type.Null()]),
  price: Type.String(),
  size: Type.String(),
  /** The taker's side. */
  side: Type.Union([Type.Literal('buy'), Type.Literal('sell'), Type.Literal('unknown')]),
  side_source: Type.String(),
  conditions: Type.Optional(Type.Array(Type.String())),
})
export type Trade = Static<typeof Trade>

export const Levels = Type.Array(Type.Tuple([Type.String(), Type.String()]))
export const NullableString = Type.Union([Type.String(), Type.Null()])

export const L2Event = Type.Object({
  ...header,
  type: L2Type,
  prev_sequence: NullableString,
  venue_first_id: NullableString,
  venue_last_id: NullableString,
  venue_prev_id: NullableString,
  /** [price, size], absolute sizes, "0" removes the level; best first in snapshots. */
  bids: Levels,
  asks: Levels,
  depth_limit: Type.Union([Type.Integer(), Type.Null()]),
  /** Incremented by each snapshot, clear and gap. */
  book_epoch: Type.Integer(),
  checksum: NullableString,
  checksum_status: Type.Union([Type.Literal('ok'), Type.Literal('mismatch'), Type.Literal('absent')]),
  /** Present only in events of type `gap`. */
  gap: Type.Optional(
    Type.Object({
      reason: Type.String(),
      from_sequence: NullableString,
      from_ts: NullableString,
      to_ts: NullableString,
      recoverable: Type.Boolean(),
    }),
  ),
})
export type L2Event = Static<typeof L2Event>

/** One level of an event with `layout: levels`; an event without levels has one record with nulls. */
export const L2Level = Type.Object({
  ...header,
  type: L2Type,
  book_epoch: Type.Integer(),
  is_snapshot: Type.Boolean(),
  side: Type.Union([Type.Literal('bid'), Type.Literal('ask'), Type.Null()]),
  price: NullableString,
  /** Absolute; "0" removes the level. */
  amount: NullableString,
})
export type L2Level = Static<typeof L2Level>

/** Fields of every page of records. `coverage` has the first 100 gaps ahead of the page; the warning `coverage.truncated`: there are more. */
export const pageFields = {
  next_cursor: NullableString,
  has_more: Type.Boolean(),
  /** The earliest time of all instruments whose source reports it; null if none does. */
  complete_through: NullableString,
  coverage: Type.Array(
    Type.Object({
      venue: Type.String(),
      symbol: Type.String(),
      from: NullableString,
      to: NullableString,
      state: Type.String(),
      reason: NullableString,
      /** Results of this instrument before this time no longer change; null if its source does not report this. */
      complete_through: NullableString,
    }),
  ),
  warnings: Type.Array(Type.Object({ code: Type.String(), message: Type.String() })),
  /** Only with `dry_run`: what the whole range has in the accepted format, before compression. */
  estimate: Type.Optional(
    Type.Object({
      records: Type.Integer(),
      bytes: Type.Integer(),
      /** False where a filter, a cursor or a very long range of recent data makes `records` an estimate. */
      is_exact: Type.Boolean(),
    }),
  ),
  request_id: Type.String(),
}

export const TradePage = Type.Object({ data: Type.Array(Trade), ...pageFields })
export type TradePage = Static<typeof TradePage>
export const L2EventPage = Type.Object({ data: Type.Array(L2Event), ...pageFields })
export type L2EventPage = Static<typeof L2EventPage>
export const L2LevelPage = Type.Object({ data: Type.Array(L2Level), ...pageFields })
export type L2LevelPage = Static<typeof L2LevelPage>

export const Instrument = Type.Object({
  instrument_id: Type.Integer(),
  venue: Type.String(),
  symbol: Type.String(),
  venue_symbol: Type.String(),
  base: Type.String(),
  quote: Type.String(),
  size_unit: Type.String(),
  ts_event_precision: Type.Union([Type.Literal('ns'), Type.Literal('us'), Type.Literal('ms')]),
  kind: Type.Union([Type.Literal('spot'), Type.Literal('perpetual'), Type.Literal('dated')]),
  /** Smallest step of a price, and of a size; null if the source does not state it. */
  tick: NullableString,
  lot: NullableString,
  /** Value of one contract as the venue defines it; null if sizes are amounts of the base. */
  multiplier: NullableString,
  aliases: Type.Array(Type.String()),
  /** RFC 3339: when the instrument was listed, and when it expires. */
  valid_from: NullableString,
  valid_to: NullableString,
  first_ts_event: NullableString,
  last_ts_event: NullableString,
  trades: Type.Integer(),
  l2_events: Type.Integer(),
})
export type Instrument = Static<typeof Instrument>

/** `GET /api/v1/instruments`, a market-data call. */
export const InstrumentList = Type.Object({ data: Type.Array(Instrument), request_id: Type.String() })
export type InstrumentList = Static<typeof InstrumentList>

/**
 * `GET /api/v1/sample/{symbol}`, public: the latest trades of a simulated instrument, newest first. `symbols` lists
 * the available instruments.
 */
export const Sample = Type.Object({
  data: Type.Array(Trade),
  symbol: Type.String(),
  symbols: Type.Array(Type.String()),
  has_more: Type.Boolean(),
  request_id: Type.String(),
})
export type Sample = Static<typeof Sample>

/** `GET /api/v1/sample`: the available instruments. */
export const SampleSymbols = Type.Object({ symbols: Type.Array(Type.String()), request_id: Type.String() })
export type SampleSymbols = Static<typeof SampleSymbols>
