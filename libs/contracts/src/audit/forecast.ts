import { type Static, Type } from 'typebox'
import { Tier } from '../actor.ts'
import { Policy } from '../usage/events.ts'

const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(type: T) => Type.Union([type, Type.Null()])

/** Requests admitted since the month began, at the end of a UTC day. Past days have `used`, coming ones the range. */
const ForecastPoint = Type.Object({
  at: Type.String(),
  used: nullable(Type.Integer()),
  likely: nullable(Type.Integer()),
  low: nullable(Type.Integer()),
  high: nullable(Type.Integer()),
})
export type ForecastPoint = Static<typeof ForecastPoint>

/** Highest usage of a limit. `reached`: requests were rejected and usage equalled the limit, so the need may be higher. */
const NeededLimit = Type.Object({
  policy: Policy,
  limit: Type.Integer(),
  peak: Type.Integer(),
  reached: Type.Boolean(),
})
export type NeededLimit = Static<typeof NeededLimit>

/** `may_be_small`: the likely month fits, the upper end of the range does not. `unknown`: too little history to say. */
const PlanFit = Type.Object({
  tier: Tier,
  verdict: Type.Enum(['fits', 'may_be_small', 'too_small', 'unknown']),
  /** Limits of the plan that are too small. */
  too_small: Type.Array(Policy),
})
export type PlanFit = Static<typeof PlanFit>

/** `GET /api/v1/internal/usage-forecast`: requests of the account until the end of its billing month. */
export const UsageForecast = Type.Object({
  as_of: Type.String(),
  month: Type.Object({ from: Type.String(), to: Type.String() }),
  used: Type.Integer(),
  limit: Type.Integer(),
  history: Type.Object({
    /** Complete UTC days that the forecast is computed from, of the last 28. */
    days: Type.Integer(),
    days_needed: Type.Integer(),
    /** Days left out because the month's limit rejected requests, so demand is unknown. */
    days_left_out: Type.Integer(),
  }),
  /** Null: not enough history. */
  end: nullable(Type.Object({ likely: Type.Integer(), low: Type.Integer(), high: Type.Integer() })),
  /** Share of months expected to end within the range. */
  confidence: Type.Number(),
  /** When the month's limit is used up; null: not within the range. `likely`, `latest` null: not in this month. */
  used_up: nullable(
    Type.Object({ earliest: Type.String(), likely: nullable(Type.String()), latest: nullable(Type.String()) }),
  ),
  series: Type.Array(ForecastPoint),
  needed: Type.Array(NeededLimit),
  plans: Type.Array(PlanFit),
  /** The smallest plan that fits; null: none, or not enough history. */
  fitting: nullable(Tier),
})
export type UsageForecast = Static<typeof UsageForecast>
