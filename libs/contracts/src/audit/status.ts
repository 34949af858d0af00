import { type Static, Type } from 'typebox'

export const COMPONENTS = ['gateway', 'market-data', 'identity', 'config', 'audit', 'api-key'] as const
export const Component = Type.Enum(COMPONENTS)
export type Component = (typeof COMPONENTS)[number]

export const STATUS_DAYS = 90

const Share = Type.Union([Type.Number(), Type.Null()])

/** A UTC day. `availability` is null when nothing was measured, which does not mean that the platform was up. */
export const StatusDay = Type.Object({
  day: Type.String(),
  requests: Type.Integer(),
  errors: Type.Integer(),
  probes: Type.Integer(),
  failed_probes: Type.Integer(),
  availability: Share,
})
export type StatusDay = Static<typeof StatusDay>

export const ComponentStatus = Type.Object({
  component: Component,
  /** State in the last measured hour, if recent enough. */
  state: Type.Enum(['up', 'degraded', 'down', 'not_measured']),
  availability: Share,
  /** Why there is no number; null when there is one. */
  not_measured: Type.Union([Type.String(), Type.Null()]),
  days: Type.Array(StatusDay),
})
export type ComponentStatus = Static<typeof ComponentStatus>

/** `GET /api/v1/status`: errors are 5xx responses to counted requests. Rejected and denied requests are not errors. */
export const PlatformStatus = Type.Object({
  as_of: Type.String(),
  /** The operator's current announcement. */
  notice: Type.Union([
    Type.Object({
      level: Type.Enum(['info', 'warning']),
      message: Type.String(),
      until: Type.Union([Type.String(), Type.Null()]),
    }),
    Type.Null(),
  ]),
  availability: Share,
  components: Type.Array(ComponentStatus),
  /** Distribution of the response times of counted requests in the last 24 hours; `up_to_ms` null: everything above. */
  latency: Type.Object({
    count: Type.Integer(),
    p50_ms: Share,
    p95_ms: Share,
    p99_ms: Share,
    histogram: Type.Array(Type.Object({ up_to_ms: Share, count: Type.Integer() })),
    not_measured: Type.Union([Type.String(), Type.Null()]),
  }),
})
export type PlatformStatus = Static<typeof PlatformStatus>
