import { type Static, Type } from 'typebox'
import { Tier } from '../actor.ts'
import { Outcome, Policy, RejectedField, ShadowVerdict } from '../usage/events.ts'
import { NextCursor, pageFields, rangeFields } from './page.ts'
import { Period, StatusText } from './http.ts'

/** Days of request log available per tier. Aggregated reports are kept longer. */
export const REQUEST_LOG_DAYS: Readonly<Record<Tier, number>> = { free: 7, basic: 30, pro: 90 }

const filterFields = {
  ...rangeFields,
  /** Instead of `from` and `to`; ends now. */
  period: Type.Optional(Period),
  route: Type.Optional(Type.String({ maxLength: 120, pattern: '^[\\w/.*:{}-]+$' })),
  /** The id of a key, or `session`. */
  apiKeyId: Type.Optional(Type.String({ maxLength: 40, pattern: '^[\\w-]+$' })),
  status: Type.Optional(StatusText),
  outcome: Type.Optional(Outcome),
  code: Type.Optional(Type.String({ maxLength: 100, pattern: '^[a-z_.]+$' })),
  /** A request id or part of one. */
  requestId: Type.Optional(Type.String({ pattern: '^[0-9a-f]{1,32}$' })),
}

export const RequestLogFilter = Type.Object(filterFields, { additionalProperties: false })
export type RequestLogFilter = Static<typeof RequestLogFilter>

export const ListRequestsQuery = Type.Object({ ...filterFields, ...pageFields }, { additionalProperties: false })
export type ListRequestsQuery = Static<typeof ListRequestsQuery>

const line = {
  id: Type.String(),
  /** 32 hex digits: the `x-request-id` of the answer. */
  request_id: Type.String(),
  time: Type.String(),
  method: Type.String(),
  route: Type.String(),
  status: Type.Integer(),
  outcome: Outcome,
  code: Type.Union([Type.String(), Type.Null()]),
  /** The id of a key, or `session`; `key_name` is null when the name is not stored. */
  key_id: Type.String(),
  key_name: Type.Union([Type.String(), Type.Null()]),
  /** /24 or /48. */
  network: Type.String(),
  latency_ms: Type.Number(),
  bytes_in: Type.Integer(),
  bytes_out: Type.Integer(),
  rows_returned: Type.Union([Type.Integer(), Type.Null()]),
}
export const LoggedRequest = Type.Object(line)
export type LoggedRequest = Static<typeof LoggedRequest>

export const RequestPage = Type.Object({
  requests: Type.Array(LoggedRequest),
  next_cursor: NextCursor,
  /** Start of the log in the caller's tier. */
  kept_from: Type.String(),
  /** Every request before this time is counted. */
  as_of: Type.String(),
})
export type RequestPage = Static<typeof RequestPage>

/** State of one limit when the request was decided. Times are null where the limiter reported none. */
export const ExplainedWindow = Type.Object({
  policy: Policy,
  name: Type.String(),
  used: Type.Integer(),
  limit: Type.Integer(),
  remaining: Type.Integer(),
  has_denied: Type.Boolean(),
  /** When the window starts to free capacity. */
  resets_at: Type.Union([Type.String(), Type.Null()]),
})
export type ExplainedWindow = Static<typeof ExplainedWindow>

export const Explanation = Type.Object({
  verdict: Type.Union([Type.Literal('admitted'), Type.Literal('denied'), Type.Literal('refused')]),
  /** True when Redis was unavailable and the gateway applied its share of the limits. */
  degraded: Type.Boolean(),
  /** The decision as text. */
  text: Type.String(),
  /** Limits of the account that denied it; those of the key are marked in `key_windows`. */
  denied_by: Type.Array(Policy),
  /** When the next request of the same kind is possible; null when the request was admitted or the time is unknown. */
  passes_at: Type.Union([Type.String(), Type.Null()]),
  /**
   * The smallest larger plan whose current limits exceed the usage of each window that denied the request; null:
   * none.
   */
  would_pass_with: Type.Union([Tier, Type.Null()]),
  /** Fields that the service rejected in an allowed request; empty when not recorded. */
  rejected_fields: Type.Array(
    Type.Object({
      ...RejectedField.properties,
      message: Type.String(),
    }),
  ),
  windows: Type.Array(ExplainedWindow),
  /** Limits of the key itself; empty when it has none. */
  key_windows: Type.Array(ExplainedWindow),
})
export type Explanation = Static<typeof Explanation>

export const RequestDetail = Type.Object({
  ...line,
  kid: Type.Union([Type.String(), Type.Null()]),
  tier: Tier,
  gateway_id: Type.String(),
  /** Latency by stage; `upstream_ms` is null when no service was called. */
  latency: Type.Object({
    total_ms: Type.Number(),
    upstream_ms: Type.Union([Type.Number(), Type.Null()]),
    gateway_ms: Type.Number(),
  }),
  explanation: Explanation,
  /** For admins: the shadow limits that would have rejected the request; absent: none were decided. */
  shadow_denied_by: Type.Optional(Type.Array(Policy)),
  /** For admins: how long the rejected request would have had to wait; absent: not rejected, or not recorded. */
  shadow_retry_after_ms: Type.Optional(Type.Integer()),
  /** Decided by the proposed limits of the key; absent: none were proposed. */
  key_shadow: Type.Optional(ShadowVerdict),
})
export type RequestDetail = Static<typeof RequestDetail>
