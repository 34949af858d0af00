import { type Static, Type } from 'typebox'
import { Tier } from '../actor.ts'
import { defineEvent } from '../event.ts'

/** Limit policies in the order in which the limiter reports them; names as in the `RateLimit-Policy` header. */
export const POLICIES = ['burst', 'min', 'hour', 'day', 'month', 'conc'] as const
export const Policy = Type.Union([
  Type.Literal('burst'),
  Type.Literal('min'),
  Type.Literal('hour'),
  Type.Literal('day'),
  Type.Literal('month'),
  Type.Literal('conc'),
])
export type Policy = Static<typeof Policy>

export const OUTCOMES = ['ok', 'client_error', 'server_error', 'denied', 'aborted'] as const
export const Outcome = Type.Union([
  Type.Literal('ok'),
  Type.Literal('client_error'),
  Type.Literal('server_error'),
  Type.Literal('denied'),
  Type.Literal('aborted'),
])
export type Outcome = Static<typeof Outcome>

/** Key id of requests made with an access token instead of an API key. */
export const SESSION_KEY_ID = 'session'

const WindowUse = Type.Object({
  policy: Policy,
  used: Type.Integer(),
  limit: Type.Integer(),
  reset_ms: Type.Optional(Type.Integer()),
})

/** Verdict of shadow limits, which are not enforced. */
export const ShadowVerdict = Type.Object({
  proposal: Type.String(),
  /** Empty: admitted. */
  denied_by: Type.Array(Policy),
  /** Waiting time of a denied request; 0 if only the concurrency limit denies it. Absent: admitted, or not recorded. */
  retry_after_ms: Type.Optional(Type.Integer()),
})
export type ShadowVerdict = Static<typeof ShadowVerdict>

export const Decision = Type.Object({
  /** `refused`: 401 or 403 by the gateway (state, scope or address of a valid key); consumes no limit. */
  verdict: Type.Union([Type.Literal('admitted'), Type.Literal('denied'), Type.Literal('refused')]),
  /** True when Redis was unavailable and the gateway decided with its share of the limits. */
  degraded: Type.Boolean(),
  /** Policies of the account that denied the request. */
  denied_by: Type.Array(Policy),
  retry_after_ms: Type.Integer(),
  /**
   * Usage including this request and the limit, per policy; empty when refused. `reset_ms`: until the window frees
   * capacity.
   */
  windows: Type.Array(WindowUse),
  /** For a key with its own limits: those that denied the request, and the usage of each. */
  key_denied_by: Type.Optional(Type.Array(Policy)),
  key_windows: Type.Optional(Type.Array(WindowUse)),
  /** Verdict of the tier's shadow limits; absent without any, or if Redis did not decide. */
  shadow: Type.Optional(ShadowVerdict),
  /** Verdict of the proposed limits of the key. */
  key_shadow: Type.Optional(ShadowVerdict),
})
export type Decision = Static<typeof Decision>

/** A field of a rejected request and the violated rule, without the value. `limit` is the rule's argument. */
export const RejectedField = Type.Object({
  /** JSON pointer into the body (RFC 6901) or the name of a parameter; `/`: the whole body. */
  field: Type.String(),
  /** Same as `errors[].rule` of the response. */
  rule: Type.Optional(Type.String()),
  limit: Type.Optional(Type.Union([Type.Number(), Type.String()])),
})
export type RejectedField = Static<typeof RejectedField>

export const UsageRequestServed = Type.Object({
  account_id: Type.String(),
  /** Id of the API key, or `session`. */
  key_id: Type.String(),
  kid: Type.Union([Type.String(), Type.Null()]),
  tier: Tier,
  method: Type.String(),
  /** Route pattern, never the raw path. */
  route: Type.String(),
  status: Type.Integer(),
  outcome: Outcome,
  code: Type.Union([Type.String(), Type.Null()]),
  /** The first entries of the response's `errors`, when a service rejected the request. */
  rejected_fields: Type.Optional(Type.Array(RejectedField)),
  decision: Decision,
  latency_us: Type.Integer(),
  upstream_latency_us: Type.Union([Type.Integer(), Type.Null()]),
  bytes_in: Type.Integer(),
  bytes_out: Type.Integer(),
  rows_returned: Type.Union([Type.Integer(), Type.Null()]),
  gateway_id: Type.String(),
  request_id: Type.String(),
  /** Client network, /24 or /48. */
  network: Type.String(),
})
export type UsageRequestServed = Static<typeof UsageRequestServed>

/** One event per counted request. `time` is the limiter's clock; `subject` and Kafka key are the account. */
export const usageRequestServed = defineEvent('usage', 'usage.request-served.v1', UsageRequestServed)

export const UsageStreamDelivered = Type.Object({
  account_id: Type.String(),
  /** Id of the API key, or `session`. */
  key_id: Type.String(),
  kid: Type.Union([Type.String(), Type.Null()]),
  tier: Tier,
  transport: Type.Union([Type.Literal('websocket'), Type.Literal('event-stream')]),
  /** Request id of the call that opened the connection. */
  connection_id: Type.String(),
  /** The first event of its connection. */
  opened: Type.Boolean(),
  /** The last event of its connection. */
  ended: Type.Boolean(),
  /** Time, messages and bytes since the previous event of the connection. */
  open_ms: Type.Integer(),
  messages: Type.Integer(),
  bytes_in: Type.Integer(),
  bytes_out: Type.Integer(),
  gateway_id: Type.String(),
  /** Client network, /24 or /48. */
  network: Type.String(),
})
export type UsageStreamDelivered = Static<typeof UsageStreamDelivered>

/**
 * What a live stream delivered, once per connection and minute, and at its end. `time` is when the reported time begins;
 * `subject` and Kafka key are the account.
 */
export const usageStreamDelivered = defineEvent('usage', 'usage.stream-delivered.v1', UsageStreamDelivered)
