import { type Static, Type } from 'typebox'

export const COMPONENTS = ['gateway', 'market-data', 'identity', 'config', 'audit', 'api-key'] as const
export const Component = Type.Enum(COMPONENTS)
export type Component = (typeof COMPONENTS)[number]

export const STATUS_DAYS = 90

const Share = Type.Union([Type.Number(), Type.Null()])

/** A day of UTC. `availability` is null when nothing was measured: that is not the same as being up. */
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
  /** By the last hour that was measured, if that is not long ago. */
  state: Type.Enum(['up', 'degraded', 'down', 'not_measured']),
  availability: Share,
  /** Why there is no number. */
  not_measured: Type.Union([Type.String(), Type.Null()]),
  days: Type.Array(StatusDay),
})
export type ComponentStatus = Static<typeof ComponentStatus>

/** `GET /api/v1/status`: errors are answers with 5xx to counted requests; refusals and denials are no errors. */
export const PlatformStatus = Type.Object({
  as_of: Type.String(),
  /** What the operator wants everybody to know at the moment. */
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
  /** Of the counted requests of the last 24 hours that were answered; `up_to_ms` null: everything above. */
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
