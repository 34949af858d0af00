import { type Static, Type } from 'typebox'
import { KEY_KINDS, KeyLimits } from './http.ts'

/**
 * What the gateway caches of a key: `GET /internal/keys/{kid}`. A deleted key is returned with state `deleted` for 31
 * days.
 */
export const KeyRecord = Type.Object({
  kid: Type.String(),
  key_id: Type.String(),
  account_id: Type.String(),
  version: Type.Integer(),
  /** Hex SHA-256 of the secret part. */
  secret_sha256: Type.String(),
  state: Type.Union([
    Type.Literal('active'),
    Type.Literal('inactive'),
    Type.Literal('revoked'),
    Type.Literal('deleted'),
  ]),
  environment: Type.Union([Type.Literal('live'), Type.Literal('test')]),
  /** Absent: `data`. */
  kind: Type.Optional(Type.Enum([...KEY_KINDS])),
  scopes: Type.Array(Type.String()),
  /** Canonical CIDR, IPv4 and IPv6; empty: from any address. */
  networks: Type.Array(Type.String()),
  rate_limits: Type.Union([KeyLimits, Type.Null()]),
  /** Proposed key limits, which gateways evaluate in addition to those in force and never enforce; absent: none. */
  shadow_limits: Type.Optional(Type.Object({ id: Type.String(), rate_limits: KeyLimits })),
  /** Milliseconds since 1970. */
  expires_at_ms: Type.Union([Type.Integer(), Type.Null()]),
  /** When a replaced secret stops working, in milliseconds since 1970; null for the current secret. */
  replaced_at_ms: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
})
export type KeyRecord = Static<typeof KeyRecord>

/** Maximum number of kids per `POST /internal/keys/find`. */
export const KIDS_PER_LOOKUP_MAX = 2_000
export const FindKeys = Type.Object(
  { kids: Type.Array(Type.String({ pattern: '^[0-9A-Za-z]{12}$' }), { minItems: 1, maxItems: KIDS_PER_LOOKUP_MAX }) },
  { additionalProperties: false },
)
export type FindKeys = Static<typeof FindKeys>
/** The kids that exist, in no particular order. */
export const FoundKeys = Type.Object({ records: Type.Array(KeyRecord) })
export type FoundKeys = Static<typeof FoundKeys>
