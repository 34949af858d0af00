import { type ApiKey, type KeyStatus, MASKED_API_KEY } from '@tapeline/contracts/api-key/http'
import { keyPrefix } from './secret.ts'
import type { ApiKeyRow } from './tables.ts'

/** What may leave of a key. When it was last used is audit's to say, from the requests it counted. */
export function presentKey(row: ApiKeyRow, now: Date): ApiKey {
  const status = statusOf(row, now)
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    api_key: MASKED_API_KEY,
    prefix: keyPrefix(row.environment, row.kid),
    is_active: status === 'active',
    status,
    environment: row.environment,
    scopes: row.scopes,
    networks: row.networks,
    rate_limits: row.rate_limits,
    expires_at: row.expires_at?.toISOString() ?? null,
    last_used_at: null,
    created_at: row.created_at.toISOString(),
    revoked_at: row.revoked_at?.toISOString() ?? null,
    grace: null,
  }
}

function statusOf({ state, expires_at }: ApiKeyRow, now: Date): KeyStatus {
  if (state === 'revoked' || state === 'deleted') return 'revoked'
  if (expires_at !== null && expires_at <= now) return 'expired'
  return state
}
