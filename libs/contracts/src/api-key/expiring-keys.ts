import { type Static, Type } from 'typebox'

/**
 * `GET /internal/accounts/{account}/expiring-keys?until=`, called by identity: keys that expire soon, earliest first.
 */
export const ExpiringKeysQuery = Type.Object(
  { until: Type.String({ format: 'date-time' }) },
  { additionalProperties: false },
)
export type ExpiringKeysQuery = Static<typeof ExpiringKeysQuery>

export const ExpiringKeys = Type.Object({
  keys: Type.Array(Type.Object({ name: Type.String(), prefix: Type.String(), expires_at: Type.String() })),
})
export type ExpiringKeys = Static<typeof ExpiringKeys>
