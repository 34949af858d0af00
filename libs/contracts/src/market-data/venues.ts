import { type Static, Type } from 'typebox'

export const VENUE_SYMBOLS_MAX = 200
export const VENUE_REASON_LENGTH_MAX = 300

const is = (description: string) => ({ description })
const timeOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

const BOOK_STATES = ['connecting', 'joining', 'live', 'recovering'] as const

/** One instrument of a connection. */
export const VenueInstrument = Type.Object({
  symbol: Type.String(),
  book: Type.Enum(BOOK_STATES, is('`joining` and `recovering` wait for a snapshot of the venue.')),
  gaps: Type.Integer(is('Gaps of the book since the process took over the connection.')),
  last_gap: Type.Union(
    [
      Type.Object({
        reason: Type.String(is('Why updates are missing, such as `connection_lost`.')),
        at: Type.String(is('Time of the gap, RFC 3339.')),
      }),
      Type.Null(),
    ],
    is('The latest gap; null if there is none.'),
  ),
  missing_trades: Type.Integer(is('Trades that were missed and are being requested from the venue.')),
  lag_ms: Type.Union(
    [Type.Integer(), Type.Null()],
    is(
      'Milliseconds from the venue’s time of the latest record to its receipt; includes the difference of the clocks.',
    ),
  ),
  last_record_at: timeOrNull('Receipt of the latest record, RFC 3339; null if there is none.'),
})
export type VenueInstrument = Static<typeof VenueInstrument>

/** What the process that has the lease of a feed last reported. */
export const FeedReport = Type.Object({
  is_connected: Type.Boolean(is('True while the connection is open.')),
  connected_at: timeOrNull('Opening of the connection, RFC 3339; null while it is closed.'),
  messages: Type.Integer(is('Messages received since the process took over the connection.')),
  last_message_at: timeOrNull('Receipt of the latest message, RFC 3339; null if there is none.'),
  last_error: timeOrNull('The latest problem of the connection; null if there was none.'),
  last_error_at: timeOrNull('Time of the latest problem, RFC 3339.'),
  instruments: Type.Array(VenueInstrument, is('Instruments of the connection.')),
})
export type FeedReport = Static<typeof FeedReport>

const FEED_STATES = ['connected', 'connecting', 'paused', 'not_running'] as const

/** One connection to a venue. */
export const VenueFeed = Type.Object({
  ...FeedReport.properties,
  feed: Type.String(is('Name of the connection, such as `binance-spot`.')),
  state: Type.Enum(FEED_STATES, is('`not_running`: no process with the role `ingest` has reported for 10 s.')),
})
export type VenueFeed = Static<typeof VenueFeed>

export const Venue = Type.Object({
  venue: Type.String(),
  symbols: Type.Array(Type.String(), is('Symbols that administrators added.')),
  configured_symbols: Type.Array(Type.String(), is('Symbols of the setting `CONNECT`; they can only be paused here.')),
  is_paused: Type.Boolean(is('True while nothing of the venue is connected, whatever its symbols are.')),
  version: Type.Integer(),
  feeds: Type.Array(VenueFeed, is('Connections that these symbols need.')),
})
export type Venue = Static<typeof Venue>

/** `GET /api/v1/admin/venues`: every venue that can be connected. */
export const VenueList = Type.Object({ venues: Type.Array(Venue, is('Every venue that can be connected.')) })
export type VenueList = Static<typeof VenueList>

/** `PUT /api/v1/admin/venues/{venue}`. `version` is the one that was read; 0 before the first change. */
export const SaveVenue = Type.Object(
  {
    symbols: Type.Array(Type.String({ minLength: 3, maxLength: 60 }), {
      maxItems: VENUE_SYMBOLS_MAX,
      description: 'Symbols to connect in addition to those of the setting `CONNECT`.',
    }),
    is_paused: Type.Boolean(is('True to disconnect the venue and keep its symbols.')),
    version: Type.Integer({ minimum: 0 }),
    reason: Type.Optional(Type.String({ maxLength: VENUE_REASON_LENGTH_MAX })),
  },
  { additionalProperties: false },
)
export type SaveVenue = Static<typeof SaveVenue>

export const SavedVenue = Type.Object({ saved: Venue })
export type SavedVenue = Static<typeof SavedVenue>
