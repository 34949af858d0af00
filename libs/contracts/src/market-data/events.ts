import { type Static, Type } from 'typebox'
import { defineEvent } from '../event.ts'

const Decimal = Type.String({ pattern: '^-?\\d+(\\.\\d+)?$', maxLength: 40 })
/** Nanoseconds since 1970 as a digit string: a JSON number cannot represent them exactly. */
const Nanoseconds = Type.String({ pattern: '^\\d{1,20}$' })
const Level = Type.Tuple([Decimal, Decimal])

export const IngestedTrade = Type.Object({
  /** The venue's trade id, or file and row; unique per instrument. */
  source_id: Type.String(),
  ts_event: Nanoseconds,
  ts_recv: Nanoseconds,
  price: Decimal,
  size: Decimal,
  side: Type.Union([Type.Literal('buy'), Type.Literal('sell'), Type.Literal('unknown')]),
  side_source: Type.String(),
  trade_id: Type.Union([Type.String(), Type.Null()]),
})
export type IngestedTrade = Static<typeof IngestedTrade>

export const IngestedL2Event = Type.Object({
  source_id: Type.String(),
  ts_event: Nanoseconds,
  ts_recv: Nanoseconds,
  type: Type.Union([Type.Literal('snapshot'), Type.Literal('update'), Type.Literal('clear'), Type.Literal('gap')]),
  bids: Type.Array(Level),
  asks: Type.Array(Level),
  venue_first_id: Type.Union([Type.String(), Type.Null()]),
  venue_last_id: Type.Union([Type.String(), Type.Null()]),
  venue_prev_id: Type.Union([Type.String(), Type.Null()]),
})
export type IngestedL2Event = Static<typeof IngestedL2Event>

/** A batch from one connector for one instrument, in order; stored idempotently by `source_id`. */
export const recordsIngested = defineEvent(
  'market-data',
  'market-data.records-ingested.v1',
  Type.Object({
    venue: Type.String(),
    symbol: Type.String(),
    trades: Type.Array(IngestedTrade),
    l2_events: Type.Array(IngestedL2Event),
  }),
)

/** Bits: replayed 1, late 2, bad_ts_event 4, bad_ts_recv 8, off_book 16. */
const Flags = Type.Integer({ minimum: 0, maximum: 31 })

const VenueTrade = Type.Object({
  ...IngestedTrade.properties,
  flags: Flags,
  conditions: Type.Array(Type.String({ pattern: '^[^\\s]{1,80}$' }), { maxItems: 20 }),
})
export type VenueTrade = Static<typeof VenueTrade>

const VenueL2Event = Type.Object({
  ...IngestedL2Event.properties,
  flags: Flags,
  /** Levels per side that the venue sends at most; null: all. */
  depth_limit: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()]),
  /** Of a gap: why the book is unknown, and since when. Of a snapshot: those of the gap that it ends. */
  gap: Type.Union([
    Type.Object({ reason: Type.String({ minLength: 1 }), from_ts: Type.Union([Nanoseconds, Type.Null()]) }),
    Type.Null(),
  ]),
})
export type VenueL2Event = Static<typeof VenueL2Event>

/** Trades that were not received: `missing` of the ids `from_id` to `to_id`, between trades at `from_ts` and `to_ts`. */
const VenueTradeGap = Type.Object({
  from_id: Type.Integer({ minimum: 0 }),
  to_id: Type.Integer({ minimum: 0 }),
  missing: Type.Integer({ minimum: 1 }),
  from_ts: Nanoseconds,
  to_ts: Nanoseconds,
})
export type VenueTradeGap = Static<typeof VenueTradeGap>

/** A batch from a venue connector for one instrument, in the venue's order; stored idempotently by `source_id`. */
export const venueRecordsIngested = defineEvent(
  'market-data',
  'market-data.venue-records-ingested.v1',
  Type.Object({
    venue: Type.String(),
    symbol: Type.String(),
    trades: Type.Array(VenueTrade),
    l2_events: Type.Array(VenueL2Event),
    trade_gaps: Type.Optional(Type.Array(VenueTradeGap)),
  }),
)

const SealedDay = {
  venue: Type.String(),
  symbol: Type.String(),
  instrument_id: Type.Integer(),
  channel: Type.Union([Type.Literal('trades'), Type.Literal('l2events')]),
  /** The UTC day. */
  date: Type.String(),
  /** Id of the file in `GET /api/v1/files`. */
  file_id: Type.String(),
  revision: Type.Integer(),
}

/** A day was written as a file; its answers do not change by it. */
export const daySealed = defineEvent(
  'market-data',
  'market-data.day-sealed.v1',
  Type.Object({ ...SealedDay, rows: Type.Integer(), bytes: Type.Integer(), sha256: Type.String() }),
)

/** Late data changed a day that was sealed before: this revision replaces the previous one. */
export const dataCorrected = defineEvent(
  'market-data',
  'market-data.data-corrected.v1',
  Type.Object({
    ...SealedDay,
    previous_revision: Type.Integer(),
    rows_before: Type.Integer(),
    rows_after: Type.Integer(),
  }),
)

const VenueSettings = Type.Object({ symbols: Type.Array(Type.String()), is_paused: Type.Boolean() })

/** An administrator changed what is connected of a venue. */
export const venueChanged = defineEvent(
  'market-data',
  'market-data.venue-changed.v1',
  Type.Object({
    venue: Type.String(),
    before: VenueSettings,
    after: VenueSettings,
    version: Type.Integer(),
    reason: Type.Union([Type.String(), Type.Null()]),
  }),
)

export const marketDataEvents = [recordsIngested, venueRecordsIngested, daySealed, dataCorrected, venueChanged]
