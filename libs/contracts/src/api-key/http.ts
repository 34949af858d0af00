import { type Static, Type } from 'typebox'
import { RateLimits } from '../config/tiers.ts'

/** Replaces the key in lists. The full key is returned only once, on creation. */
export const MASKED_API_KEY = '•'.repeat(16)
/** Characters of a market-data key that lists show: prefix and public kid, never secret bits. A service key has one less. */
export const PREFIX_CHARACTERS = 20

export const API_KEY_SCOPES = ['trades:read', 'l2events:read', 'files:read', 'stream:read'] as const
export type ApiKeyScope = (typeof API_KEY_SCOPES)[number]

/** `data`: reads market data (`tl_live_…`, `tl_test_…`). `service`: also calls the account's API (`tl_svc_…`). */
export const KEY_KINDS = ['data', 'service'] as const
export type KeyKind = (typeof KEY_KINDS)[number]
/** Scopes that only service keys can have, in addition to those for market data. */
export const SERVICE_SCOPES = [
  'keys:read',
  'keys:write',
  'usage:read',
  'requests:read',
  'webhooks:write',
  'audit:read',
] as const
export type ServiceScope = (typeof SERVICE_SCOPES)[number]
export const KEY_SCOPES = [...API_KEY_SCOPES, ...SERVICE_SCOPES] as const
export type KeyScope = (typeof KEY_SCOPES)[number]

const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()])

/** Limits of one key. The lower of the key's and the account's limit applies; an absent one is the account's. */
export const KeyLimits = Type.Partial(RateLimits, { additionalProperties: false })
export type KeyLimits = Static<typeof KeyLimits>

/** Caps of a key that gateways evaluate and record in addition to those in force, and never enforce. */
export const KeyShadowLimits = Type.Object({
  /** Id of the proposal. Different limits are a new proposal, whose windows begin empty. */
  id: Type.String({ format: 'uuid' }),
  /** When they were proposed, RFC 3339. */
  since: Type.String(),
  rate_limits: KeyLimits,
})
export type KeyShadowLimits = Static<typeof KeyShadowLimits>

/** `PUT /api/v1/internal/api-keys/{id}/shadow`: at least one cap. */
export const ProposeKeyLimits = Type.Object(
  { rate_limits: Type.Partial(RateLimits, { additionalProperties: false, minProperties: 1 }) },
  { additionalProperties: false },
)
export type ProposeKeyLimits = Static<typeof ProposeKeyLimits>

/** `POST /api/v1/internal/api-keys/{id}/shadow/apply`: the proposal that the caller has seen. */
export const ApplyKeyLimits = Type.Object(
  { proposal: Type.String({ format: 'uuid' }) },
  { additionalProperties: false },
)
export type ApplyKeyLimits = Static<typeof ApplyKeyLimits>

const Name = Type.String({ minLength: 1, maxLength: 80, pattern: '\\S' })
export const NETWORKS_MAX = 50
const NETWORK_CHARACTERS_MAX = 50

export const TAGS_MAX = 20
const Tag = Type.String({ pattern: '^[a-z0-9][a-z0-9._:/-]{0,39}$' })

/** Fields that can be set on creation and changed later. */
const keyFields = {
  description: Type.Optional(nullable(Type.String({ maxLength: 500 }))),
  /** RFC 3339 time, or a date: the key then works until the end of that day in UTC. */
  expires_at: Type.Optional(
    nullable(Type.Union([Type.String({ format: 'date-time' }), Type.String({ format: 'date' })])),
  ),
  /** On creation, a market-data key defaults to all of its scopes; a service key names its scopes. */
  scopes: Type.Optional(Type.Array(Type.Enum([...KEY_SCOPES]), { minItems: 1, maxItems: KEY_SCOPES.length })),
  /** Addresses and CIDR networks that may use the key, IPv4 and IPv6; empty: any. */
  networks: Type.Optional(Type.Array(Type.String({ maxLength: NETWORK_CHARACTERS_MAX }), { maxItems: NETWORKS_MAX })),
  rate_limits: Type.Optional(nullable(KeyLimits)),
  /** To select keys by, such as `team:data` or `prod`. */
  tags: Type.Optional(Type.Array(Tag, { maxItems: TAGS_MAX })),
  /** Who is responsible for the key, in the user's words. */
  owner_note: Type.Optional(nullable(Type.String({ maxLength: 200 }))),
}

export const CreateKey = Type.Object(
  {
    name: Name,
    ...keyFields,
    /** `test` keys read only the simulated venue `sim`. */
    environment: Type.Optional(Type.Enum(['live', 'test'])),
    /** Defaults to `data`. Only a signed-in user creates service keys. */
    kind: Type.Optional(Type.Enum([...KEY_KINDS])),
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

/** The identifier of a key in the user's own systems, unique among the account's keys of a kind. */
export const ExternalId = Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._:-]{0,99}$' })

/**
 * `PUT /api/v1/internal/api-keys/by-external-id/{external_id}`: the complete desired state. An absent field has its default,
 * as on creation; `environment` and `kind` of an existing key cannot change.
 */
export const PutKey = Type.Object(
  { ...CreateKey.properties, is_active: Type.Optional(Type.Boolean()) },
  { additionalProperties: false },
)
export type PutKey = Static<typeof PutKey>

export const GRACE_SECONDS = [0, 60, 900, 3_600, 21_600, 86_400] as const
/**
 * How long the replaced secret keeps working, at most until the key's expiry. If it was never used, the secret before it
 * keeps working instead, if that one is in its grace period. 0 or absent: all older secrets stop working immediately.
 */
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
  /** `tl_live_`, `tl_test_` or `tl_svc_` and the kid. */
  prefix: Type.String(),
  /** Stored creation responses from before this field existed are those of market-data keys. */
  kind: Type.Enum([...KEY_KINDS], { default: 'data' }),
  is_active: Type.Boolean(),
  status: KeyStatus,
  environment: Type.Union([Type.Literal('live'), Type.Literal('test')]),
  scopes: Type.Array(Type.String()),
  /** CIDR, IPv4 and IPv6; empty: from any address. */
  networks: Type.Array(Type.String()),
  rate_limits: nullable(KeyLimits),
  /** Absent: none. */
  shadow_limits: Type.Optional(KeyShadowLimits),
  /** Stored creation responses from before these fields existed are read as without them. */
  tags: Type.Array(Type.String(), { default: [] }),
  owner_note: Type.Union([Type.String(), Type.Null()], { default: null }),
  external_id: Type.Union([Type.String(), Type.Null()], { default: null }),
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

/** `GET /api/v1/internal/api-keys`: market-data keys by default. Conditions are combined with AND. */
export const ListKeysQuery = Type.Object(
  {
    kind: Type.Optional(Type.Enum([...KEY_KINDS])),
    tag: Type.Optional(Tag),
    external_id: Type.Optional(ExternalId),
    /** Only keys that are this many days old and were not used for as long. */
    unused_days: Type.Optional(Type.Integer({ minimum: 1, maximum: 365 })),
  },
  { additionalProperties: false },
)
export type ListKeysQuery = Static<typeof ListKeysQuery>

export const KeyList = Type.Object({ apiKeys: Type.Array(ApiKey) })
export type KeyList = Static<typeof KeyList>
