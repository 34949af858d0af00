import { type Static, Type } from 'typebox'
import { Tier } from '../actor.ts'
import { Policy } from '../usage/events.ts'

/** Whose limit it is: the account's, over all its keys and sessions, or a cap of the key that was used. */
export const LimitScope = Type.Union([Type.Literal('account'), Type.Literal('key')])
export type LimitScope = Static<typeof LimitScope>

/** One limit and what is used of it. */
export const LimitWindow = Type.Object({
  scope: LimitScope,
  policy: Policy,
  used: Type.Integer(),
  limit: Type.Integer(),
  remaining: Type.Integer(),
  /** Until the window gives something back; null for concurrency, which has no time. */
  reset_ms: Type.Union([Type.Integer(), Type.Null()]),
})
export type LimitWindow = Static<typeof LimitWindow>

/** `GET /api/v1/limits`: consumes nothing and is not counted. */
export const LimitsReport = Type.Object({
  tier: Tier,
  /** True while Redis is away: the numbers are those of this gateway's share. */
  degraded: Type.Boolean(),
  /** Id of the key that asked; null: a session. */
  key_id: Type.Union([Type.String(), Type.Null()]),
  /** The month that is counted: from the account's anchor day, 00:00 UTC. */
  month: Type.Object({ from: Type.String(), to: Type.String() }),
  /** Burst, minute, hour, day, month and open requests of the account, then the key's own caps. */
  windows: Type.Array(LimitWindow),
})
export type LimitsReport = Static<typeof LimitsReport>

export const CALL_REPORTS_PATH = '/api/v1/internal/calls-traced'

/** How a call looked from the browser that made it. Times by its own clock are differences, so that no clock has to be right. */
export const TracedCall = Type.Object(
  {
    /** The call's request id, as its answer said it. */
    trace_id: Type.String({ pattern: '^[0-9a-f]{32}$' }),
    /** As the call's own `traceparent` said it. */
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

/** `POST /api/v1/internal/calls-traced`: there only where tracing is on. */
export const CallReport = Type.Object(
  { calls: Type.Array(TracedCall, { minItems: 1, maxItems: 50 }) },
  { additionalProperties: false },
)
export type CallReport = Static<typeof CallReport>
