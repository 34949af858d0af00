import { type Static, Type } from 'typebox'

/** Keys that end soon, asked by identity: `GET /internal/accounts/{account}/expiring-keys?until=`; the next to end first. */
export const ExpiringKeysQuery = Type.Object(
  { until: Type.String({ format: 'date-time' }) },
  { additionalProperties: false },
)
export type ExpiringKeysQuery = Static<typeof ExpiringKeysQuery>

export const ExpiringKeys = Type.Object({
  keys: Type.Array(Type.Object({ name: Type.String(), prefix: Type.String(), expires_at: Type.String() })),
})
export type ExpiringKeys = Static<typeof ExpiringKeys>
