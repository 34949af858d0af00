import { type Static, Type } from 'typebox'
import { Policy } from '../usage/events.ts'

/** Longest period of a report, and its default. */
export const SHADOW_DAYS_MAX = 92
export const SHADOW_DAYS_DEFAULT = 7

const time = Type.String({ format: 'date-time', maxLength: 40 })

/** `GET /api/v1/admin/limits/shadow/{proposal}`, and that of a key: whole hours; the last seven days by default. */
export const ShadowReportQuery = Type.Object(
  { from: Type.Optional(time), to: Type.Optional(time) },
  { additionalProperties: false },
)
export type ShadowReportQuery = Static<typeof ShadowReportQuery>

const counts = {
  requests: Type.Integer(),
  /** Requests that a limit in force rejected, and that a shadow limit would have rejected. */
  rejected: Type.Integer(),
  would_be_rejected: Type.Integer(),
  /** Admitted in fact, rejected by the shadow limits; and the other way round. */
  newly_rejected: Type.Integer(),
  newly_admitted: Type.Integer(),
  /** Longest time that a request would have had to wait; null: none had to, or it was not recorded. */
  longest_wait_ms: Type.Union([Type.Integer(), Type.Null()]),
}
/** Rejections by each limit; a request that two limits reject counts for both. */
const policies = Type.Array(Type.Object({ policy: Policy, requests: Type.Integer() }))
/** The first request that would have been rejected; null: none. */
const first = Type.Union([
  Type.Object({ at: Type.String(), request_id: Type.String(), policies: Type.Array(Policy) }),
  Type.Null(),
])
const hours = Type.Array(
  Type.Object({ at: Type.String(), requests: Type.Integer(), would_be_rejected: Type.Integer() }),
)

/** Decisions of shadow limits about one account. */
export const ShadowedAccount = Type.Object({
  account_id: Type.String(),
  ...counts,
  policies,
  keys: Type.Array(Type.Object({ key_id: Type.String(), would_be_rejected: Type.Integer() })),
  first,
  last_at: Type.Union([Type.String(), Type.Null()]),
})
export type ShadowedAccount = Static<typeof ShadowedAccount>

/** What the shadow limits of a proposal decided. Requests that were decided without Redis are not included. */
export const ShadowReport = Type.Object({
  proposal: Type.String(),
  from: Type.String(),
  to: Type.String(),
  accounts: Type.Integer(),
  accounts_affected: Type.Integer(),
  ...counts,
  hours,
  /** Those with most rejections first, at most 500; only accounts whose decisions differ. */
  rows: Type.Array(ShadowedAccount),
})
export type ShadowReport = Static<typeof ShadowReport>

/**
 * `GET /api/v1/internal/apikeyaudit/key-shadow/{proposal}`: what the proposed limits of a key of the account decided.
 * Requests that were decided without Redis are not included.
 */
export const KeyShadowReport = Type.Object({
  proposal: Type.String(),
  from: Type.String(),
  to: Type.String(),
  ...counts,
  policies,
  first,
  last_at: Type.Union([Type.String(), Type.Null()]),
  hours,
})
export type KeyShadowReport = Static<typeof KeyShadowReport>
