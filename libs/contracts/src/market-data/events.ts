import { type Static, Type } from 'typebox'
import { defineEvent } from '../event.ts'

const Decimal = Type.String({ pattern: '^-?\\d+(\\.\\d+)?$', maxLength: 40 })
/** Nanoseconds since 1970 as a digit string: a JSON number cannot hold them. */
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

export const marketDataEvents = [recordsIngested]
