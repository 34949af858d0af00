import { type Static, Type } from 'typebox'
import { PAGE_SIZE_MAX, pageFields, selectionFields, walkFields } from './http.ts'

export const BAR_INTERVALS = [
  '1s',
  '5s',
  '10s',
  '15s',
  '30s',
  '1m',
  '5m',
  '10m',
  '15m',
  '30m',
  '1h',
  '2h',
  '4h',
  '6h',
  '12h',
  '1d',
] as const
export type BarInterval = (typeof BAR_INTERVALS)[number]

const Threshold = Type.String({ pattern: '^(?=.*[1-9])\\d{1,20}(\\.\\d{1,18})?$' })

const { venues, symbols, start, end, time_format } = selectionFields
const { order, cursor } = walkFields

/**
 * `POST /api/v1/trades/bars`: at most one of `interval`, `ticks`, `volume` and `dollars`; one-minute bars by default.
 * `start` and `end` select time bars by their beginning. Other bars are built from the trades of the range, in
 * ascending order, for one instrument.
 */
export const ListBars = Type.Object(
  {
    venues,
    symbols,
    start,
    end,
    time_format,
    order,
    cursor,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: PAGE_SIZE_MAX })),
    interval: Type.Optional(Type.Enum([...BAR_INTERVALS])),
    /** IANA name, such as America/New_York: bars begin at local midnight and each interval after it. */
    time_zone: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    /** Trades per bar. */
    ticks: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000_000 })),
    /** Sum of sizes that completes a bar. */
    volume: Type.Optional(Threshold),
    /** Sum of price × size, in the quote currency, that completes a bar. */
    dollars: Type.Optional(Threshold),
  },
  { additionalProperties: false },
)
export type ListBars = Static<typeof ListBars>

export const Bar = Type.Object({
  /** `venue:symbol:bar:start`, stable and unique. */
  id: Type.String(),
  venue: Type.String(),
  symbol: Type.String(),
  venue_symbol: Type.String(),
  instrument_id: Type.Integer(),
  /** `1m`, or for example `ticks:100`. */
  bar: Type.String(),
  /** Beginning of the interval; of other bars, time of the first trade. */
  ts_start: Type.String(),
  /** Exclusive end of the interval; of other bars, time of the last trade. */
  ts_end: Type.String(),
  open: Type.String(),
  high: Type.String(),
  low: Type.String(),
  close: Type.String(),
  /** Sum of sizes, exact. */
  volume: Type.String(),
  /** Sum of price × size, exact. */
  notional: Type.String(),
  /** notional / volume, rounded to 18 significant digits, half to even; null when the volume is zero. */
  vwap: Type.Union([Type.String(), Type.Null()]),
  count: Type.Integer(),
  /** Sequences of the trades that are open and close. */
  first_sequence: Type.String(),
  last_sequence: Type.String(),
  first_ts_event: Type.String(),
  last_ts_event: Type.String(),
  /**
   * `final`: no longer changes. `revisable`: complete, late data may still change it. `forming`: more trades are
   * expected.
   */
  finality: Type.Union([Type.Literal('final'), Type.Literal('revisable'), Type.Literal('forming')]),
})
export type Bar = Static<typeof Bar>

export const BarPage = Type.Object({ data: Type.Array(Bar), ...pageFields })
export type BarPage = Static<typeof BarPage>
