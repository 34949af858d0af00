import type { KeyLimits } from '@tapeline/contracts/api-key/http'
import type { ConsumerTables } from '@tapeline/database/consumer-tables'
import type { OutboxTable } from '@tapeline/database/outbox-table'
import type { ColumnType, Generated, Selectable } from 'kysely'

export type ApiKeyTable = {
  id: string
  user_id: string
  name: string
  description: string | null
  environment: 'live' | 'test'
  scopes: string[]
  /** Canonical CIDR; empty: from any address. */
  networks: string[]
  /** The key's own caps; never an empty object. */
  rate_limits: KeyLimits | null
  state: 'active' | 'inactive' | 'revoked' | 'deleted'
  /** Rises with every change that a gateway must know; all kids of the key share it. */
  version: number
  expires_at: Date | null
  /** The last notice of the expiry that is given or no longer due (expiry-notices.ts). */
  expiry_notice: Generated<number>
  /** Since when the owner's account is inactive. */
  owner_stopped_at: ColumnType<Date | null, never, Date | null>
  created_at: Date
  revoked_at: Date | null
  deleted_at: Date | null
}

/** A key's secrets: the current one has no end, a replaced one ends at once or after its grace. */
export type ApiKeySecretTable = {
  kid: string
  key_id: string
  secret_sha256: Buffer
  created_at: Date
  ends_at: Date | null
}

/** Apart from the key, so that a busy key's row is left alone. */
export type ApiKeyUseTable = { kid: string; key_id: string; last_used_at: Date }
/** Where a key was used lately: /24 of IPv4, /48 of IPv6. */
export type ApiKeyNetworkTable = { key_id: string; network: string; last_seen_at: Date }

/** What a creation with an `Idempotency-Key` answered, without the secret. */
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
  outbox: OutboxTable
}

/** A key with its current kid, and the replaced one while it still works. */
export type ApiKeyRow = Selectable<ApiKeyTable> & {
  kid: string
  kid_used_at: Date | null
  /** Of all its kids, also those that ended. */
  last_used_at: Date | null
  graced_kid: string | null
  graced_until: Date | null
  graced_used_at: Date | null
}
