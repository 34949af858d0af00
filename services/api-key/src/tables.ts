import type { KeyLimits } from '@tapeline/contracts/api-key/http'
import type { OutboxTable } from '@tapeline/database/outbox-table'
import type { Selectable } from 'kysely'

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

export type Tables = { api_key: ApiKeyTable; api_key_secret: ApiKeySecretTable; outbox: OutboxTable }

/** A key with its current kid. */
export type ApiKeyRow = Selectable<ApiKeyTable> & { kid: string }
