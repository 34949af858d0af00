import { type Static, Type } from 'typebox'

/** Data of a reminder about the previous day; the texts are in the templates. */
export const ReminderFacts = Type.Object({
  /** `YYYY-MM-DD` in the user's time zone. */
  day: Type.String(),
  time_zone: Type.String(),
  requests: Type.Integer(),
  errors: Type.Integer(),
  denied: Type.Integer(),
  /** The highest use of the daily and the monthly limit. */
  limits: Type.Array(Type.Object({ policy: Type.String(), used: Type.Integer(), limit: Type.Integer() })),
  keys: Type.Array(Type.Object({ name: Type.String(), expires_at: Type.String() })),
})
export type ReminderFacts = Static<typeof ReminderFacts>
