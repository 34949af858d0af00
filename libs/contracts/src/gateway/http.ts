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
