import { type Static, Type } from 'typebox'
import { Levels, NullableString, TimeFormat, TimeInput } from './http.ts'

export const BOOK_DEPTH_DEFAULT = 10
export const BOOK_DEPTH_MAX = 5_000

/** `POST /api/v1/l2events/book`: one book at one moment. */
export const ReadBook = Type.Object(
  {
    venue: Type.String({ minLength: 1, maxLength: 40 }),
    symbol: Type.String({ minLength: 1, maxLength: 40 }),
    /** Inclusive; the present by default. */
    at: Type.Optional(TimeInput),
    /** Maximum number of levels per side, best first. */
    depth: Type.Optional(Type.Integer({ minimum: 1, maximum: BOOK_DEPTH_MAX })),
    time_format: Type.Optional(TimeFormat),
  },
  { additionalProperties: false },
)
export type ReadBook = Static<typeof ReadBook>

export const Book = Type.Object({
  venue: Type.String(),
  symbol: Type.String(),
  venue_symbol: Type.String(),
  instrument_id: Type.Integer(),
  at: Type.String(),
  /** `unknown`: messages were lost, or no snapshot is stored before this time; `gap` has the reason. */
  state: Type.Union([Type.Literal('known'), Type.Literal('unknown')]),
  /** The last event in the book; a replay of `l2events` up to this sequence gives the same book. */
  sequence: NullableString,
  book_epoch: Type.Union([Type.Integer(), Type.Null()]),
  ts_event: NullableString,
  ts_recv: NullableString,
  /** Levels per side of the snapshot, where the venue limits them. */
  depth_limit: Type.Union([Type.Integer(), Type.Null()]),
  /** [price, size], best first; empty when the book is unknown. */
  bids: Levels,
  asks: Levels,
  /** Number of levels of the whole book. */
  levels: Type.Integer(),
  gap: Type.Union([
    Type.Object({ reason: Type.String(), from_ts: NullableString, to_ts: NullableString }),
    Type.Null(),
  ]),
  /** Later data may still change books after this time; null when the source does not say. */
  complete_through: NullableString,
})
export type Book = Static<typeof Book>

export const BookAnswer = Type.Object({ data: Book, request_id: Type.String() })
export type BookAnswer = Static<typeof BookAnswer>

/**
 * A change of a book on the channels `book.*` of the stream. Applied in the order in which they arrive, they give the book of `/api/v1/l2events/book` at their
 * `sequence`, to the depth of the channel.
 */
export const BookChange = Type.Object({
  venue: Type.String(),
  symbol: Type.String(),
  venue_symbol: Type.String(),
  instrument_id: Type.Integer(),
  /** Time from which the book is valid. */
  ts_event: Type.String(),
  ts_recv: Type.String(),
  /** Sequence of the L2 event that made the change; a snapshot contains every event up to it. */
  sequence: Type.String(),
  book_epoch: Type.Integer(),
  /** `snapshot`: the whole book, which replaces the previous state. `gap`: messages were lost; a snapshot follows. */
  type: Type.Union([Type.Literal('snapshot'), Type.Literal('update'), Type.Literal('gap')]),
  /** [price, size]; of an update the new sizes, where "0" removes the price. */
  bids: Levels,
  asks: Levels,
  depth_limit: Type.Union([Type.Integer(), Type.Null()]),
  gap: Type.Union([Type.Object({ reason: Type.String(), from_ts: NullableString, to_ts: Type.String() }), Type.Null()]),
})
export type BookChange = Static<typeof BookChange>
