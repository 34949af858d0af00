import { type Static, Type } from 'typebox'

/** What a reminder tells of yesterday, in numbers: the words are the language's. */
export const ReminderFacts = Type.Object({
  /** `YYYY-MM-DD` where the person is. */
  day: Type.String(),
  time_zone: Type.String(),
  requests: Type.Integer(),
  errors: Type.Integer(),
  denied: Type.Integer(),
  /** The highest use of the day's and the month's limit. */
  limits: Type.Array(Type.Object({ policy: Type.String(), used: Type.Integer(), limit: Type.Integer() })),
  keys: Type.Array(Type.Object({ name: Type.String(), expires_at: Type.String() })),
})
export type ReminderFacts = Static<typeof ReminderFacts>
