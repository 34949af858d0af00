import type { KeyKind, KeyLimits, KeyShadowLimits } from '@tapeline/contracts/api-key/http'
import type { LeakAction } from '@tapeline/contracts/api-key/leaks'
import type { ConsumerTables } from '@tapeline/database/consumer-tables'
import type { OutboxTable } from '@tapeline/database/outbox-table'
import type { ColumnType, Generated, Selectable } from 'kysely'

export type ApiKeyTable = {
  id: string
  user_id: string
  name: string
  description: string | null
  kind: KeyKind
  environment: 'live' | 'test'
  scopes: string[]
  /** Canonical CIDR; empty: any address. */
  networks: string[]
  /** The key's own limits; never an empty object. */
  rate_limits: KeyLimits | null
  /** Proposed limits: evaluated in addition to those in force, and not enforced. */
  shadow_limits: KeyShadowLimits | null
  tags: string[]
  owner_note: string | null
  /** Unique among the user's keys of this kind that are not deleted. */
  external_id: string | null
  state: 'active' | 'inactive' | 'revoked' | 'deleted'
  /** Incremented by every change relevant to gateways; shared by all kids of the key. */
  version: number
  expires_at: Date | null
  /** The last notice of the expiry that was sent or skipped (expiry-notices.ts). */
  expiry_notice: Generated<number>
  /** Time at which the owner's account became inactive; null while it is active. */
  owner_stopped_at: ColumnType<Date | null, never, Date | null>
  created_at: Date
  revoked_at: Date | null
  deleted_at: Date | null
}

/** A key's secrets: the current one has no end, a replaced one ends immediately or after its grace period. */
export type ApiKeySecretTable = {
  kid: string
  key_id: string
  secret_sha256: Buffer
  created_at: Date
  ends_at: Date | null
  /** First characters of a key that another gateway issued, possibly none; null for a key of this platform. */
  imported_prefix: string | null
}

/** In a separate table, so that uses do not update the row of a busy key. */
export type ApiKeyUseTable = { kid: string; key_id: string; last_used_at: Date }
/** Networks from which a key was used recently: /24 of IPv4, /48 of IPv6. */
export type ApiKeyNetworkTable = { key_id: string; network: string; last_seen_at: Date }

/** The owner's policy for leaked keys; without a row, the default applies. */
export type LeakPolicyTable = { user_id: string; action: LeakAction; changed_at: Date }
/** When a kid was last reported as leaked. */
export type LeakReportTable = { kid: string; reported_at: Date }

/** Stored response of a creation with an `Idempotency-Key`, without the secret. */
export type IdempotentCreationTable = {
  user_id: string
  idempotency_key: string
  fingerprint: Buffer
  answer: ColumnType<unknown, string, string>
  created_at: Date
}

export type Tables = ConsumerTables & {
  api_key: ApiKeyTable
  api_key_secret: ApiKeySecretTable
  api_key_use: ApiKeyUseTable
  api_key_network: ApiKeyNetworkTable
  idempotent_creation: IdempotentCreationTable
  leak_policy: LeakPolicyTable
  leak_report: LeakReportTable
  outbox: OutboxTable
}

/** A key with its current kid, and the replaced one while it works. */
export type ApiKeyRow = Selectable<ApiKeyTable> & {
  kid: string
  kid_used_at: Date | null
  /** Latest use of any kid, including ended ones. */
  last_used_at: Date | null
  graced_kid: string | null
  graced_until: Date | null
  graced_used_at: Date | null
  imported_prefix: string | null
  graced_imported_prefix: string | null
}
