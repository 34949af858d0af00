import { type Static, Type } from 'typebox'
import { NullableString, PAGE_SIZE_MAX, pageFields, selectionFields, walkFields } from './http.ts'

/** Instruments of one call. */
export const QUOTE_INSTRUMENTS_MAX = 10

const { venues, symbols, start, end, time_format } = selectionFields
const { order, cursor } = walkFields

/** `POST /api/v1/quotes/list`: changes of the best bid and offer, in the order (ts_event, instrument, sequence). */
export const ListQuotes = Type.Object(
  {
    venues,
    symbols,
    start,
    end,
    time_format,
    order,
    cursor,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: PAGE_SIZE_MAX })),
  },
  { additionalProperties: false },
)
export type ListQuotes = Static<typeof ListQuotes>

/** `POST /api/v1/quotes/latest`: the newest quote of each instrument, up to `end`. */
export const LatestQuotes = Type.Object({ venues, symbols, end, time_format }, { additionalProperties: false })
export type LatestQuotes = Static<typeof LatestQuotes>

export const Quote = Type.Object({
  /** `venue:symbol:quote:sequence`, stable and unique. */
  id: Type.String(),
  venue: Type.String(),
  symbol: Type.String(),
  venue_symbol: Type.String(),
  instrument_id: Type.Integer(),
  /** The time from which the quote was valid; never before the snapshot that the book began with. */
  ts_event: Type.String(),
  ts_recv: Type.String(),
  /** Sequence of the L2 event that made the quote. */
  sequence: Type.String(),
  book_epoch: Type.Integer(),
  /** `unknown` from a gap on: messages were lost, and there is no quote until the next snapshot. */
  state: Type.Union([Type.Literal('known'), Type.Literal('unknown')]),
  /** Null without levels on that side, and while the book is unknown. */
  bid_price: NullableString,
  bid_size: NullableString,
  ask_price: NullableString,
  ask_size: NullableString,
})
export type Quote = Static<typeof Quote>

export const QuotePage = Type.Object({ data: Type.Array(Quote), ...pageFields })
export type QuotePage = Static<typeof QuotePage>

export const LatestQuotesAnswer = Type.Object({ data: Type.Array(Quote), request_id: Type.String() })
export type LatestQuotesAnswer = Static<typeof LatestQuotesAnswer>
