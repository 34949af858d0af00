import { type Static, Type } from 'typebox'
import { Tier } from '../actor.ts'
import { Policy } from '../usage/events.ts'

/** The account's limit, shared by all its keys and sessions, or the limit of the key that was used. */
export const LimitScope = Type.Union([Type.Literal('account'), Type.Literal('key')])
export type LimitScope = Static<typeof LimitScope>

/** One limit and its current usage. */
export const LimitWindow = Type.Object({
  scope: LimitScope,
  policy: Policy,
  used: Type.Integer(),
  limit: Type.Integer(),
  remaining: Type.Integer(),
  /** Time until the window frees capacity; null for concurrency, which has no reset time. */
  reset_ms: Type.Union([Type.Integer(), Type.Null()]),
})
export type LimitWindow = Static<typeof LimitWindow>

/** `GET /api/v1/limits`: does not consume a request and is not counted. */
export const LimitsReport = Type.Object({
  tier: Tier,
  /** True while Redis is unavailable: the numbers are those of this gateway's share. */
  degraded: Type.Boolean(),
  /** Id of the calling key; null: a session. */
  key_id: Type.Union([Type.String(), Type.Null()]),
  /** The current billing month: from the account's anchor day, 00:00 UTC. */
  month: Type.Object({ from: Type.String(), to: Type.String() }),
  /** Burst, minute, hour, day, month and concurrent requests of the account, then the key's own limits. */
  windows: Type.Array(LimitWindow),
  /** Live streams: open connections of the account, and messages per second that each may receive. */
  stream: Type.Object({
    connections: Type.Object({ used: Type.Integer(), limit: Type.Integer(), remaining: Type.Integer() }),
    messages_per_second: Type.Integer(),
  }),
})
export type LimitsReport = Static<typeof LimitsReport>

/** `POST /api/v1/stream/tickets`: opens one stream as `?ticket=`, for browsers, which cannot send a header with it. */
export const StreamTicket = Type.Object({ ticket: Type.String(), expires_in_seconds: Type.Integer() })
export type StreamTicket = Static<typeof StreamTicket>

export const CALL_REPORTS_PATH = '/api/v1/internal/calls-traced'

/** Timing of a call as measured by the browser. Times are differences, so clock offsets do not matter. */
export const TracedCall = Type.Object(
  {
    /** The call's request id, from its response. */
    trace_id: Type.String({ pattern: '^[0-9a-f]{32}$' }),
    /** Span id of the call's `traceparent` header. */
    span_id: Type.String({ pattern: '^[0-9a-f]{16}$' }),
    method: Type.Union([
      Type.Literal('GET'),
      Type.Literal('POST'),
      Type.Literal('PUT'),
      Type.Literal('PATCH'),
      Type.Literal('DELETE'),
    ]),
    status: Type.Integer({ minimum: 100, maximum: 599 }),
    duration_ms: Type.Number({ minimum: 0, maximum: 60_000 }),
    ended_ms_ago: Type.Number({ minimum: 0, maximum: 60_000 }),
  },
  { additionalProperties: false },
)
export type TracedCall = Static<typeof TracedCall>

/** `POST /api/v1/internal/calls-traced`: available only where tracing is enabled. */
export const CallReport = Type.Object(
  { calls: Type.Array(TracedCall, { minItems: 1, maxItems: 50 }) },
  { additionalProperties: false },
)
export type CallReport = Static<typeof CallReport>
