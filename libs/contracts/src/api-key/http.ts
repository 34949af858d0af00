import { type Static, Type } from 'typebox'
import { RateLimits } from '../config/tiers.ts'

/** Replaces the key in lists. The full key is returned only once, on creation. */
export const MASKED_API_KEY = '•'.repeat(16)
/** Characters of a key that lists show: prefix and public kid, never secret bits. */
export const PREFIX_CHARACTERS = 20

export const API_KEY_SCOPES = ['trades:read', 'l2events:read', 'files:read'] as const
export type ApiKeyScope = (typeof API_KEY_SCOPES)[number]

const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()])

/** Limits of one key. The lower of the key's and the account's limit applies; an absent one is the account's. */
export const KeyLimits = Type.Partial(RateLimits, { additionalProperties: false })
export type KeyLimits = Static<typeof KeyLimits>

const Name = Type.String({ minLength: 1, maxLength: 80, pattern: '\\S' })
export const NETWORKS_MAX = 50
const NETWORK_CHARACTERS_MAX = 50

/** Fields that can be set on creation and changed later. */
const keyFields = {
  description: Type.Optional(nullable(Type.String({ maxLength: 500 }))),
  /** RFC 3339 time, or a date: the key then works until the end of that day in UTC. */
  expires_at: Type.Optional(
    nullable(Type.Union([Type.String({ format: 'date-time' }), Type.String({ format: 'date' })])),
  ),
  /** Defaults to all scopes on creation. */
  scopes: Type.Optional(Type.Array(Type.Enum([...API_KEY_SCOPES]), { minItems: 1, maxItems: API_KEY_SCOPES.length })),
  /** Addresses and CIDR networks that may use the key, IPv4 and IPv6; empty: any. */
  networks: Type.Optional(Type.Array(Type.String({ maxLength: NETWORK_CHARACTERS_MAX }), { maxItems: NETWORKS_MAX })),
  rate_limits: Type.Optional(nullable(KeyLimits)),
}

export const CreateKey = Type.Object(
  {
    name: Name,
    ...keyFields,
    /** `test` keys read only the simulated venue `sim`. */
    environment: Type.Optional(Type.Enum(['live', 'test'])),
  },
  { additionalProperties: false },
)
export type CreateKey = Static<typeof CreateKey>

/** `PUT /api/v1/internal/api-keys/{id}`: absent fields keep their value. */
export const UpdateKey = Type.Object(
  { name: Type.Optional(Name), is_active: Type.Optional(Type.Boolean()), ...keyFields },
  { additionalProperties: false },
)
export type UpdateKey = Static<typeof UpdateKey>

export const GRACE_SECONDS = [0, 60, 900, 3_600, 21_600, 86_400] as const
/** How long the replaced secret keeps working, at most until the key's expiry. Absent: it stops working immediately. */
export const RegenerateKey = Type.Object(
  { grace_seconds: Type.Optional(Type.Enum([...GRACE_SECONDS])) },
  { additionalProperties: false },
)
export type RegenerateKey = Static<typeof RegenerateKey>

export const KeyStatus = Type.Union([
  Type.Literal('active'),
  Type.Literal('inactive'),
  Type.Literal('expired'),
  Type.Literal('revoked'),
])
export type KeyStatus = Static<typeof KeyStatus>

/** A replaced secret within its grace period. */
export const KeyGrace = Type.Object({
  prefix: Type.String(),
  until: Type.String(),
  last_used_at: nullable(Type.String()),
})
export type KeyGrace = Static<typeof KeyGrace>

export const ApiKey = Type.Object({
  id: Type.String(),
  name: Type.String(),
  description: nullable(Type.String()),
  /** Sixteen bullets. */
  api_key: Type.String(),
  /** The first 20 characters: `tl_live_` and the kid. */
  prefix: Type.String(),
  is_active: Type.Boolean(),
  status: KeyStatus,
  environment: Type.Union([Type.Literal('live'), Type.Literal('test')]),
  scopes: Type.Array(Type.String()),
  /** CIDR, IPv4 and IPv6; empty: from any address. */
  networks: Type.Array(Type.String()),
  rate_limits: nullable(KeyLimits),
  expires_at: nullable(Type.String()),
  /** Last use of the key with any of its secrets. */
  last_used_at: nullable(Type.String()),
  /** Last use of the current secret. Stored creation responses from before this field existed are read as unused. */
  secret_last_used_at: Type.Union([Type.String(), Type.Null()], { default: null }),
  created_at: Type.String(),
  revoked_at: nullable(Type.String()),
  grace: nullable(KeyGrace),
})
export type ApiKey = Static<typeof ApiKey>

/**
 * A key limit above the limit of the account's plan: it is stored, but `limit` applies until the plan's limit is
 * higher.
 */
export const LimitWarning = Type.Object({
  code: Type.Literal('api_key.limit_above_plan'),
  /** JSON pointer into the body (RFC 6901). */
  field: Type.String(),
  message: Type.String(),
  limit: Type.Integer(),
})
export type LimitWarning = Static<typeof LimitWarning>
const Warnings = Type.Optional(Type.Array(LimitWarning))

/**
 * The only response that contains the full key. `effective_within_seconds` is present when the write to Redis failed.
 */
export const CreatedKey = Type.Object({
  apiKey: Type.String(),
  name: Type.String(),
  key: ApiKey,
  effective_within_seconds: Type.Optional(Type.Integer()),
  warnings: Warnings,
})
export type CreatedKey = Static<typeof CreatedKey>

/** Response to a creation repeated with the same `Idempotency-Key`: the first response without the secret. */
export const CreatedBefore = Type.Object({ name: Type.String(), key: ApiKey, warnings: Warnings })
export type CreatedBefore = Static<typeof CreatedBefore>

/** `GET` and `PUT /api/v1/internal/api-keys/{id}`, `PATCH …/{id}/revoke` and `PATCH …/{id}/end-grace`. */
export const KeyAnswer = Type.Object({
  key: ApiKey,
  effective_within_seconds: Type.Optional(Type.Integer()),
  warnings: Warnings,
})
export type KeyAnswer = Static<typeof KeyAnswer>

/** `DELETE /api/v1/internal/api-keys/{id}/delete`. */
export const DeletedKey = Type.Object({ id: Type.String(), effective_within_seconds: Type.Optional(Type.Integer()) })
export type DeletedKey = Static<typeof DeletedKey>

export const KeyUsageQuery = Type.Object(
  { api_key_id: Type.String({ format: 'uuid' }) },
  { additionalProperties: false },
)
export const ANALYTICS_DAYS_DEFAULT = 30
export const KeyAnalyticsQuery = Type.Object(
  { days: Type.Optional(Type.Integer({ minimum: 1, maximum: 90 })) },
  { additionalProperties: false },
)

export const KeyList = Type.Object({ apiKeys: Type.Array(ApiKey) })
export type KeyList = Static<typeof KeyList>

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
  scopes: Type.Array(Type.String()),
  /** Canonical CIDR, IPv4 and IPv6; empty: from any address. */
  networks: Type.Array(Type.String()),
  rate_limits: nullable(KeyLimits),
  /** Milliseconds since 1970. */
  expires_at_ms: nullable(Type.Integer()),
  /** When a replaced secret stops working, in milliseconds since 1970; null for the current secret. */
  replaced_at_ms: Type.Optional(nullable(Type.Integer())),
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
