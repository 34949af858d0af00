import { type Static, Type } from 'typebox'
import { UsageLimit } from './http.ts'

/** Usage of an account from `from` until `to`, for identity: `GET /internal/accounts/{account}/usage`. */
export const AccountUsageQuery = Type.Object(
  { from: Type.String({ format: 'date-time' }), to: Type.String({ format: 'date-time' }) },
  { additionalProperties: false },
)
export type AccountUsageQuery = Static<typeof AccountUsageQuery>

export const AccountUsage = Type.Object({
  total: Type.Integer(),
  success: Type.Integer(),
  failed: Type.Integer(),
  denied: Type.Integer(),
  client_errors: Type.Integer(),
  server_errors: Type.Integer(),
  limits: Type.Array(UsageLimit),
})
export type AccountUsage = Static<typeof AccountUsage>
