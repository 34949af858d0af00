import { type Static, Type } from 'typebox'
import { Tier } from '../actor.ts'
import { RateLimits } from '../config/tiers.ts'
import { Policy } from '../usage/events.ts'

const closed = { additionalProperties: false }

/** Longest period of a replay. */
export const REPLAY_DAYS_MAX = 31

/** `POST /api/v1/admin/limits/replay`: the requests of a tier decided again. Absent limits stay as they were recorded. */
export const StartReplay = Type.Object(
  {
    tier: Type.Object({ name: Tier, rateLimits: Type.Partial(RateLimits, closed) }, closed),
    from: Type.String({ format: 'date-time', maxLength: 40 }),
    to: Type.String({ format: 'date-time', maxLength: 40 }),
  },
  closed,
)
export type StartReplay = Static<typeof StartReplay>

const Refusals = Type.Object({
  account_id: Type.String(),
  requests: Type.Integer(),
  /** Requests that a limit rejected, as recorded and as replayed. */
  rejected: Type.Integer(),
  would_be_rejected: Type.Integer(),
  /** Admitted as recorded and rejected as replayed. */
  newly_rejected: Type.Integer(),
  policies: Type.Array(Policy),
  /** The first request that was admitted and would be rejected; null: none. */
  first: Type.Union([
    Type.Object({ at: Type.String(), request_id: Type.String(), policies: Type.Array(Policy) }),
    Type.Null(),
  ]),
  days: Type.Integer(),
})
export type Refusals = Static<typeof Refusals>

/** Names as in `rateLimits`. */
const HighestUse = Type.Object({
  burstLimit: Type.Integer(),
  requestsPerMinute: Type.Integer(),
  requestsPerHour: Type.Integer(),
  requestsPerDay: Type.Integer(),
  requestsPerMonth: Type.Integer(),
  concurrentRequests: Type.Integer(),
})

export const ReplayResult = Type.Object({
  accounts: Type.Integer(),
  accounts_affected: Type.Integer(),
  requests: Type.Integer(),
  rejected: Type.Integer(),
  would_be_rejected: Type.Integer(),
  newly_rejected: Type.Integer(),
  newly_admitted: Type.Integer(),
  /** How the same requests compare with the record when decided with the recorded limits. */
  check: Type.Object({
    same: Type.Integer(),
    anchored: Type.Integer(),
    degraded: Type.Integer(),
    different: Type.Integer(),
  }),
  /** Accounts with custom limits, which a change of the tier does not affect. */
  accounts_with_own_limits: Type.Integer(),
  /** The most that one account used of each limit, as recorded. Absent in replays of earlier versions. */
  highest: Type.Optional(HighestUse),
  hours: Type.Array(Type.Object({ at: Type.String(), requests: Type.Integer(), would_be_rejected: Type.Integer() })),
  /** Accounts with the most rejections first, at most 500. */
  rows: Type.Array(Refusals),
})
export type ReplayResult = Static<typeof ReplayResult>

export const LimitsReplay = Type.Object({
  id: Type.String(),
  tier: StartReplay.properties.tier,
  from: Type.String(),
  to: Type.String(),
  state: Type.Enum(['queued', 'running', 'done', 'failed']),
  /** 0 to 1, by accounts. */
  progress: Type.Number(),
  created_at: Type.String(),
  /** Null until it is done. */
  result: Type.Union([ReplayResult, Type.Null()]),
})
export type LimitsReplay = Static<typeof LimitsReplay>
