import { type Static, Type } from 'typebox'
import { Tier, UserActor } from '../actor.ts'
import { Outcome, Policy } from '../usage/events.ts'

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

const LatencyOrNone = Type.Union([Percentiles, Type.Null()])

/** A bucket of the series: `from` inclusive, `to` exclusive, RFC 3339 with the offset of the period's time zone. */
export const UsagePoint = Type.Object({
  from: Type.String(),
  to: Type.String(),
  /**
   * The bucket covers less than a whole minute, hour or day: the period begins or ends in it, or it is the current
   * one.
   */
  partial: Type.Boolean(),
  ...Counts,
  latency_ms: LatencyOrNone,
})
export type UsagePoint = Static<typeof UsagePoint>

/**
 * A row of the breakdown: an endpoint, a key, a status, an outcome, an hour of the day (`00`…`23` in the account's
 * time zone) or a network.
 */
export const UsageRow = Type.Object({
  key: Type.String(),
  ...Counts,
  latency_ms: LatencyOrNone,
  last_at: Type.Union([Type.String(), Type.Null()]),
})
export type UsageRow = Static<typeof UsageRow>

/** What the limiter reported with the requests of the period: the last and the highest use of each window, both in requests per window. */
export const UsageLimit = Type.Object({
  policy: Policy,
  limit: Type.Integer(),
  used: Type.Integer(),
  peak: Type.Integer(),
  at: Type.Union([Type.String(), Type.Null()]),
})
export type UsageLimit = Static<typeof UsageLimit>

/** Length of one bucket of the series: its counts, and the highest of them, are requests per this unit. */
export const BUCKET_UNITS = ['minute', 'hour', 'day'] as const
export const BucketUnit = Type.Enum(BUCKET_UNITS)
export type BucketUnit = (typeof BUCKET_UNITS)[number]

/** The period of the same length that ends where this one begins. */
export const PreviousUsage = Type.Object({
  from: Type.String(),
  to: Type.String(),
  ...Counts,
  latency_ms: LatencyOrNone,
})
export type PreviousUsage = Static<typeof PreviousUsage>

/**
 * Live streams of a period or bucket. `connections`: opened in it; `open_ms`: the time that connections were open, added up.
 */
export const StreamCounts = Type.Object({
  connections: Type.Integer(),
  messages: Type.Integer(),
  bytes_in: Type.Integer(),
  bytes_out: Type.Integer(),
  open_ms: Type.Integer(),
})
export type StreamCounts = Static<typeof StreamCounts>

/** `series` has one entry per bucket of the report's `series`. */
export const StreamUsage = Type.Object({ ...StreamCounts.properties, series: Type.Array(StreamCounts) })
export type StreamUsage = Static<typeof StreamUsage>

/** Features that an account's tier does not include, each with the first tier that does. */
const Locked = Type.Array(Type.Object({ feature: Type.String(), tier: Tier }))

/**
 * Response of all usage calls (architecture §8). `locked` lists the features that the caller's tier does not include.
 */
export const UsageReport = Type.Object({
  as_of: Type.String(),
  /** Every minute before it was compared with the limiter's own count; null before the first comparison. */
  final_until: Type.Union([Type.String(), Type.Null()]),
  /** Requests decided by the limiter without a row, minus rows without a limiter decision, over the final minutes. */
  drift: Type.Union([Type.Integer(), Type.Null()]),
  /** Minutes of the period that could not be compared, because Redis lost its count. */
  unverified_minutes: Type.Integer(),
  /** Drift of the period that remained unexplained: recorded as an adjustment and included in no other number. */
  adjusted: Type.Integer(),
  period: Type.Object({ from: Type.String(), to: Type.String(), tz: Type.String(), bucket: BucketUnit }),
  ...Counts,
  latency_ms: LatencyOrNone,
  previous: Type.Union([PreviousUsage, Type.Null()]),
  series: Type.Array(UsagePoint),
  rows: Type.Array(UsageRow),
  limits: Type.Array(UsageLimit),
  /** What live streams delivered; null when the report is filtered by endpoint, status or outcome, which streams do not have. */
  streams: Type.Union([StreamUsage, Type.Null()]),
  locked: Locked,
})
export type UsageReport = Static<typeof UsageReport>

/** A rolling window that ends at the response's `as_of`. `success_rate` is 0…1, null without requests. */
export const RealTimeWindow = Type.Object({
  from: Type.String(),
  to: Type.String(),
  ...Counts,
  success_rate: Type.Union([Type.Number(), Type.Null()]),
  latency_ms: LatencyOrNone,
})
export type RealTimeWindow = Static<typeof RealTimeWindow>

export const RealTimeStatsQuery = Type.Object({}, { additionalProperties: false })

/** Current activity, designed to be polled every few seconds. */
export const RealTimeStats = Type.Object({
  as_of: Type.String(),
  last_minute: RealTimeWindow,
  last_5_minutes: RealTimeWindow,
  /** Requests in progress; null while Redis is unavailable. */
  in_flight: Type.Union([Type.Integer(), Type.Null()]),
  limits: Type.Array(UsageLimit),
  locked: Locked,
})
export type RealTimeStats = Static<typeof RealTimeStats>

/** A route pattern, for example `/api/v1/trades/list`. */
const RouteText = Type.String({ maxLength: 120, pattern: '^[\\w/.*:{}-]*$' })
/** The id of a key, or `session`. */
const KeyIdText = Type.String({ maxLength: 40, pattern: '^[^\\u0000-\\u001f]*$' })

/** A class, `4xx`, or one status, `429`. */
export const StatusText = Type.String({ pattern: '^[1-5](xx|\\d\\d)$' })

const Moment = Type.String({ format: 'date-time' })
/**
 * Either a named period, or `from` with or without `to`: at most 90 days, starting within the last 90 days, in whole
 * minutes.
 */
const PeriodFields = { period: Type.Optional(Period), from: Type.Optional(Moment), to: Type.Optional(Moment) }
export type PeriodQuery = { period?: Period; from?: string; to?: string }

export const DashboardMetricsQuery = Type.Object(
  {
    ...PeriodFields,
    route: Type.Optional(RouteText),
    apiKeyId: Type.Optional(KeyIdText),
    status: Type.Optional(StatusText),
    outcome: Type.Optional(Outcome),
  },
  { additionalProperties: false },
)
export type DashboardMetricsQuery = Static<typeof DashboardMetricsQuery>

export const ApiKeyUsageQuery = Type.Object(
  { ...PeriodFields, apiKeyId: Type.Optional(KeyIdText) },
  { additionalProperties: false },
)
export type ApiKeyUsageQuery = Static<typeof ApiKeyUsageQuery>

export const GROUPINGS = ['endpoint', 'key', 'status', 'outcome', 'hour', 'network'] as const
export const UsageBreakdownQuery = Type.Object(
  {
    ...PeriodFields,
    groupBy: Type.Optional(Type.Enum(GROUPINGS)),
    route: Type.Optional(RouteText),
    apiKeyId: Type.Optional(KeyIdText),
  },
  { additionalProperties: false },
)
export type UsageBreakdownQuery = Static<typeof UsageBreakdownQuery>

/**
 * Usage of one key over the last days, called by api-key after it checked the ownership: `POST /internal/key-usage`.
 */
export const KeyUsageRequest = Type.Object(
  {
    /** The account whose tier and time zone apply to the report. */
    owner: UserActor,
    key_id: Type.String({ format: 'uuid' }),
    days: Type.Integer({ minimum: 1, maximum: 90 }),
    group_by: Type.Enum(['key', 'endpoint']),
  },
  { additionalProperties: false },
)
export type KeyUsageRequest = Static<typeof KeyUsageRequest>

/** Initial counters of the limiter for an account or one key: `GET /internal/seeds/{account}?month_start=&key_id=`. */
export const UsageSeed = Type.Object({
  as_of: Type.String(),
  /** Admitted requests per minute of the last 24 h 15 min: [minutes since 1970, count]. */
  minutes: Type.Array(Type.Tuple([Type.Integer(), Type.Integer()])),
  /** Admitted requests since `month_start`. */
  month: Type.Integer(),
})
export type UsageSeed = Static<typeof UsageSeed>
