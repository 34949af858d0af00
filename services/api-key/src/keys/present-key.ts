import { type ApiKey, type KeyGrace, type KeyStatus, MASKED_API_KEY } from '@tapeline/contracts/api-key/http'
import { keyPrefix, labelOf } from './secret.ts'
import type { ApiKeyRow } from '../tables.ts'

/** The public view of a key. Its state is computed from the current time, independent of the jobs. */
export function presentKey(row: ApiKeyRow, now: Date): ApiKey {
  const status = statusOf(row, now)
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    api_key: MASKED_API_KEY,
    prefix: prefixOf(row, row.kid, row.imported_prefix),
    kind: row.kind,
    is_active: status === 'active',
    status,
    environment: row.environment,
    scopes: row.scopes,
    networks: row.networks,
    rate_limits: row.rate_limits,
    ...shadowOf(row),
    tags: row.tags,
    owner_note: row.owner_note,
    external_id: row.external_id,
    expires_at: row.expires_at?.toISOString() ?? null,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    secret_last_used_at: row.kid_used_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    revoked_at: row.revoked_at?.toISOString() ?? null,
    grace: status === 'revoked' ? null : graceOf(row, now),
  }
}

function shadowOf({ shadow_limits }: ApiKeyRow): Pick<ApiKey, 'shadow_limits'> {
  return shadow_limits === null ? {} : { shadow_limits }
}

/** The prefix of an imported key is its first characters, or its kid when they are not known. */
function prefixOf(row: ApiKeyRow, kid: string, imported: string | null): string {
  if (imported === null) return keyPrefix(labelOf(row), kid)
  return imported === '' ? `imported_${kid}` : imported
}

function statusOf({ state, expires_at, owner_stopped_at }: ApiKeyRow, now: Date): KeyStatus {
  if (state === 'revoked' || state === 'deleted') return 'revoked'
  if (expires_at !== null && expires_at <= now) return 'expired'
  return owner_stopped_at === null ? state : 'inactive'
}

/** A key with an earlier expiry ends the replaced secret, too. */
function graceOf(row: ApiKeyRow, now: Date): KeyGrace | null {
  const { expires_at, graced_kid: kid, graced_until } = row
  if (kid === null || graced_until === null) return null
  const until = expires_at !== null && expires_at < graced_until ? expires_at : graced_until
  if (until <= now) return null
  return {
    prefix: prefixOf(row, kid, row.graced_imported_prefix),
    until: until.toISOString(),
    last_used_at: row.graced_used_at?.toISOString() ?? null,
  }
}
