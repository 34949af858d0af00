import { type Static, Type } from 'typebox'
import { Tier } from '../actor.ts'
import { Policy } from '../usage/events.ts'

export const PERIODS = ['1h', '24h', '7d', '30d', '90d'] as const
export const Period = Type.Enum(PERIODS)
export type Period = (typeof PERIODS)[number]
export const METRICS_PERIOD_DEFAULT = '7d'
export const KEY_AUDIT_PERIOD_DEFAULT = '30d'

const Milliseconds = Type.Number()
/** Relative error of each at most 1 % (DDSketch). */
export const Percentiles = Type.Object({ p50: Milliseconds, p95: Milliseconds, p99: Milliseconds })
export type Percentiles = Static<typeof Percentiles>

/** Counted requests. `failed` = 4xx + 5xx + denied + aborted; `total` = `success` + `failed`. */
const Counts = {
  total: Type.Integer(),
  success: Type.Integer(),
  failed: Type.Integer(),
  denied: Type.Integer(),
  client_errors: Type.Integer(),
  server_errors: Type.Integer(),
}

/** A bucket of the series: `from` inclusive, `to` exclusive, RFC 3339 with the offset of the period's time zone. */
export const UsagePoint = Type.Object({
  from: Type.String(),
  to: Type.String(),
  ...Counts,
  latency_ms: Type.Union([Percentiles, Type.Null()]),
})
export type UsagePoint = Static<typeof UsagePoint>

/** A line of the table: an endpoint, a key, a status or an outcome, by the call. */
export const UsageRow = Type.Object({
  key: Type.String(),
  ...Counts,
  latency_ms: Type.Union([Percentiles, Type.Null()]),
  last_at: Type.Union([Type.String(), Type.Null()]),
})
export type UsageRow = Static<typeof UsageRow>

/** What the limiter reported with the requests of the period: the last and the highest use of each window. */
export const UsageLimit = Type.Object({
  policy: Policy,
  limit: Type.Integer(),
  used: Type.Integer(),
  peak: Type.Integer(),
  at: Type.Union([Type.String(), Type.Null()]),
})
export type UsageLimit = Static<typeof UsageLimit>

/** The one shape of all usage calls (architecture §8). `locked` names what the caller's tier does not include. */
export const UsageReport = Type.Object({
  as_of: Type.String(),
  final_until: Type.Union([Type.String(), Type.Null()]),
  drift: Type.Union([Type.Integer(), Type.Null()]),
  period: Type.Object({ from: Type.String(), to: Type.String(), tz: Type.String() }),
  ...Counts,
  latency_ms: Type.Union([Percentiles, Type.Null()]),
  series: Type.Array(UsagePoint),
  rows: Type.Array(UsageRow),
  limits: Type.Array(UsageLimit),
  locked: Type.Array(Type.Object({ feature: Type.String(), tier: Tier })),
})
export type UsageReport = Static<typeof UsageReport>

/** A route pattern, for example `/api/v1/trades/list`. */
const RouteText = Type.String({ maxLength: 120, pattern: '^[\\w/.*:{}-]*$' })
/** The id of a key, or `session`. */
const KeyIdText = Type.String({ maxLength: 40, pattern: '^[^\\u0000-\\u001f]*$' })

export const DashboardMetricsQuery = Type.Object(
  {
    period: Type.Optional(Period),
    route: Type.Optional(RouteText),
    apiKeyId: Type.Optional(KeyIdText),
  },
  { additionalProperties: false },
)
export type DashboardMetricsQuery = Static<typeof DashboardMetricsQuery>

export const ApiKeyUsageQuery = Type.Object(
  { period: Type.Optional(Period), apiKeyId: Type.Optional(KeyIdText) },
  { additionalProperties: false },
)
export type ApiKeyUsageQuery = Static<typeof ApiKeyUsageQuery>

export const GROUPINGS = ['endpoint', 'key', 'status', 'outcome'] as const
export const UsageBreakdownQuery = Type.Object(
  {
    period: Type.Optional(Period),
    groupBy: Type.Optional(Type.Enum(GROUPINGS)),
    route: Type.Optional(RouteText),
    apiKeyId: Type.Optional(KeyIdText),
  },
  { additionalProperties: false },
)
export type UsageBreakdownQuery = Static<typeof UsageBreakdownQuery>

/** What the limiter is seeded from when Redis lost an account: `GET /internal/seeds/{account}?month_start=`. */
export const UsageSeed = Type.Object({
  as_of: Type.String(),
  /** Admitted requests per minute of the last 24 h 15 min: [minutes since 1970, count]. */
  minutes: Type.Array(Type.Tuple([Type.Integer(), Type.Integer()])),
  /** Admitted requests since `month_start`. */
  month: Type.Integer(),
})
export type UsageSeed = Static<typeof UsageSeed>
