import { type Static, Type } from 'typebox'
import { Problem } from '../problem.ts'
import { Bar } from './bars.ts'
import { BookChange } from './book.ts'
import { L2Event, ListL2Events, ListTrades, Trade } from './http.ts'
import { Quote } from './quotes.ts'

/**
 * `GET /api/v1/stream`: as WebSocket (this subprotocol) or as server-sent events, as requested.
 * WebSocket frames are JSON texts, one message each: the client sends ClientMessage, the server ServerMessage. Server-sent
 * events carry one subscription, whose fields stand in the query (StreamQuery); `event` is the type of the message,
 * `data` the same JSON text, `id` its cursor.
 */
export const STREAM_SUBPROTOCOL = 'tapeline.v1'
export const STREAM_TYPE = 'text/event-stream'

/** Set by the gateway, removed from external requests: batches per second of one connection, 0 without a limit. */
export const STREAM_MESSAGES_HEADER = 'x-stream-messages-per-second'

export const STREAM_HEARTBEAT_MS = 10_000
/** What may wait for one slow reader before its stream ends with `slow_consumer`. */
export const STREAM_BUFFER_BYTES_MAX = 1024 * 1024
export const STREAM_MESSAGE_BYTES_MAX = 16 * 1024
export const STREAM_SUBSCRIPTIONS_MAX = 50

/** WebSocket close codes. Server-sent events end after the last message instead. */
export const STREAM_CLOSE = {
  /** After `goodbye`: the service or the gateway restarts, or the plan has changed. Reconnect with the cursor. */
  goingAway: 1001,
  /** The service failed; reconnect with the cursor. */
  failed: 1011,
  /** A frame that is not a message of this contract. */
  messageInvalid: 4400,
  /** By the gateway: the key was revoked, the session or the access token has ended, or the account is inactive. */
  accessEnded: 4401,
  /** The client was too slow; sent after `slow_consumer`. */
  slowConsumer: 4408,
  /** The client sends too many messages. */
  tooManyMessages: 4429,
} as const

/** Bars of these intervals, in UTC. */
export const BAR_CHANNELS = ['bars.1s', 'bars.1m', 'bars.5m', 'bars.1h', 'bars.1d'] as const

/** A book: its best 10 or 50 levels per side, or all. */
export const BOOK_CHANNELS = ['book.10', 'book.50', 'book.full'] as const
/** Instruments of one subscription to `bbo` or `book.*`. */
export const STREAM_BOOKS_MAX = 10

export const StreamChannel = Type.Union([
  Type.Literal('trades'),
  Type.Literal('l2events'),
  Type.Literal('bbo'),
  Type.Literal('book.10'),
  Type.Literal('book.50'),
  Type.Literal('book.full'),
  Type.Literal('bars.1s'),
  Type.Literal('bars.1m'),
  Type.Literal('bars.5m'),
  Type.Literal('bars.1h'),
  Type.Literal('bars.1d'),
])
export type StreamChannel = Static<typeof StreamChannel>

/** Values of `types`. */
export const L2_TYPES = ['snapshot', 'update', 'clear', 'gap'] as const

const Id = Type.String({ minLength: 1, maxLength: 40 })
const { venues, symbols, start, cursor, time_format } = ListTrades.properties
const { side, price, size, include } = ListTrades.properties
const { types, depth } = ListL2Events.properties

/**
 * The filter of the list call of the channel, without `end` and `order`: the order is that of each instrument, by
 * (ts_event, sequence). `cursor`: of a list call or of a stream; without it the subscription begins at `start`, or now.
 * The other channels take `venues`, `symbols`, `start`, `cursor` and `time_format`. The list call of bars is
 * `/api/v1/trades/bars`, that of `bbo` is `/api/v1/quotes/list`, and books take cursors of `/api/v1/l2events/list`.
 */
export const Subscribe = Type.Object(
  {
    op: Type.Literal('subscribe'),
    /** Chosen by the client; marks the messages of this subscription. */
    id: Id,
    channel: StreamChannel,
    venues,
    symbols,
    start,
    cursor,
    time_format,
    side,
    price,
    size,
    include,
    types,
    depth,
  },
  { additionalProperties: false },
)
export type Subscribe = Static<typeof Subscribe>

export const Unsubscribe = Type.Object({ op: Type.Literal('unsubscribe'), id: Id }, { additionalProperties: false })
export type Unsubscribe = Static<typeof Unsubscribe>

/** Answered by `pong` with the same `id`. */
export const Ping = Type.Object({ op: Type.Literal('ping'), id: Type.Optional(Id) }, { additionalProperties: false })
export type Ping = Static<typeof Ping>

export const ClientMessage = Type.Union([Subscribe, Unsubscribe, Ping])
export type ClientMessage = Static<typeof ClientMessage>

/**
 * Without `channel`: trades. Lists are comma-separated. `Last-Event-ID` takes precedence over `cursor`, which also has the
 * filters that are not accepted here: `price`, `size` and `include`.
 */
export const StreamQuery = Type.Object(
  {
    channel: Type.Optional(StreamChannel),
    venues: Type.Optional(Type.String({ minLength: 1, maxLength: 2_100 })),
    symbols: Type.Optional(Type.String({ minLength: 1, maxLength: 2_100 })),
    start,
    cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 8_000 })),
    time_format,
    side,
    types: Type.Optional(Type.String({ minLength: 1, maxLength: 40 })),
    depth: Type.Optional(Type.Integer({ minimum: 1, maximum: 5_000 })),
  },
  { additionalProperties: false },
)
export type StreamQuery = Static<typeof StreamQuery>

/** Nanoseconds at which the record was sent, as text in the `time_format` of the subscription. */
const sent = Type.Object({ ts_out: Type.String() })
const StreamRecord = Type.Union([
  Type.Intersect([Trade, sent]),
  Type.Intersect([L2Event, sent]),
  Type.Intersect([Bar, sent]),
  Type.Intersect([Quote, sent]),
  Type.Intersect([BookChange, sent]),
])

/** `mode`: `catching_up` while older records are read from the store, then `live`. */
export const Subscribed = Type.Object({
  type: Type.Literal('subscribed'),
  id: Id,
  channel: StreamChannel,
  instruments: Type.Array(Type.Object({ venue: Type.String(), symbol: Type.String(), instrument_id: Type.Integer() })),
  mode: Type.Union([Type.Literal('catching_up'), Type.Literal('live')]),
  cursor: Type.String(),
  warnings: Type.Array(Type.Object({ code: Type.String(), message: Type.String() })),
})
export type Subscribed = Static<typeof Subscribed>

/**
 * `type` is the channel. `cursor` continues after the last record of the batch, here or over the list call. A bar is sent
 * again when it changed: the last one with an id is valid; `cursor` stays before the bars that still form.
 */
export const Batch = Type.Object({
  type: StreamChannel,
  id: Id,
  data: Type.Array(StreamRecord),
  cursor: Type.String(),
})
export type Batch = Static<typeof Batch>

/**
 * Records that were stored after later ones of their instrument had been sent. They stand before the cursor, which they
 * do not move. `omitted`: how many of them are too many to be sent (an import of older data): list the range again.
 */
export const Late = Type.Object({
  type: Type.Literal('late'),
  id: Id,
  channel: StreamChannel,
  data: Type.Array(StreamRecord),
  omitted: Type.Integer({ minimum: 0 }),
})
export type Late = Static<typeof Late>

/** While catching up, at most once a second: how far. `live`: the tail is reached. */
export const CatchUp = Type.Object({
  type: Type.Literal('catch_up'),
  id: Id,
  live: Type.Boolean(),
  records: Type.Integer(),
  cursor: Type.String(),
})
export type CatchUp = Static<typeof CatchUp>

/** One cursor per subscription, also when nothing was traded. */
export const Heartbeat = Type.Object({
  type: Type.Literal('heartbeat'),
  ts: Type.String(),
  cursors: Type.Record(Type.String(), Type.String()),
})
export type Heartbeat = Static<typeof Heartbeat>

export const Unsubscribed = Type.Object({
  type: Type.Literal('unsubscribed'),
  id: Id,
  cursor: Type.String(),
})
export type Unsubscribed = Static<typeof Unsubscribed>

/** The stream ends after it: after reconnecting with these cursors, the remaining records are sent. */
export const SlowConsumer = Type.Object({
  type: Type.Literal('slow_consumer'),
  cursors: Type.Record(Type.String(), Type.String()),
})
export type SlowConsumer = Static<typeof SlowConsumer>

/**
 * `restart`: reconnect at once with these cursors. They are empty if the gateway ends the stream, because it does not read
 * messages: then reconnect with the last cursor of each subscription.
 */
export const Goodbye = Type.Object({
  type: Type.Literal('goodbye'),
  reason: Type.Union([Type.Literal('restart'), Type.Literal('access_ended')]),
  cursors: Type.Record(Type.String(), Type.String()),
})
export type Goodbye = Static<typeof Goodbye>

/**
 * `id`: the subscription that failed and has ended; absent if the error concerns no subscription.
 * `stream.subscription_exists` and `stream.subscription_unknown` only reject a message of the client: no subscription has
 * ended.
 */
export const StreamError = Type.Object({ type: Type.Literal('error'), id: Type.Optional(Id), problem: Problem })
export type StreamError = Static<typeof StreamError>

export const Pong = Type.Object({ type: Type.Literal('pong'), id: Type.Optional(Id), ts: Type.String() })
export type Pong = Static<typeof Pong>

export const ServerMessage = Type.Union([
  Subscribed,
  Batch,
  Late,
  CatchUp,
  Heartbeat,
  Unsubscribed,
  SlowConsumer,
  Goodbye,
  StreamError,
  Pong,
])
export type ServerMessage = Static<typeof ServerMessage>

/** `GET /api/v1/sample/stream/{symbol}`; `Last-Event-ID` goes before `after`. */
export const FollowSample = Type.Object(
  { after: Type.Optional(Type.String({ pattern: '^\\d{1,16}$', description: 'Sequence of the last trade seen.' })) },
  { additionalProperties: false },
)
