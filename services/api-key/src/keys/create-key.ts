import type { UserActor } from '@tapeline/contracts/actor'
import type { CreatedKey, CreateKey } from '@tapeline/contracts/api-key/http'
import { keyCountersField } from '@tapeline/service/account-versions'
import type { KeyDeps } from '../deps.ts'
import { publishVersion, versionOf } from './key-version.ts'
import { addKey, type NewKey } from './new-key.ts'
import { presentKey } from './present-key.ts'
import type { ApiKeyRow } from '../tables.ts'

/**
 * Creates a key. Only this response and that of a regeneration contain the full key.
 * @throws AppError when the tier's number of keys is reached or a field is invalid
 */
export async function createKey(deps: KeyDeps, actor: UserActor, input: CreateKey): Promise<CreatedKey> {
  const created = await deps.db.transaction().execute((trx) => addKey(deps, trx, actor, input))
  return presentNewKey(deps, created)
}

export async function presentNewKey(deps: KeyDeps, { apiKey, key }: NewKey): Promise<CreatedKey> {
  const [effective] = await Promise.all([publishVersion(deps, versionOf(key, key.version)), markEmpty(deps, key)])
  return { apiKey, name: key.name, key: presentKey(key, deps.now()), ...effective }
}

/** Marks the counters of a new key as initialized. If Redis is unavailable, the first use of the key loads them. */
async function markEmpty(deps: KeyDeps, { id, user_id, rate_limits, created_at }: ApiKeyRow): Promise<void> {
  if (rate_limits === null) return
  await deps.raiseVersion({ accountId: user_id, field: keyCountersField(id), version: created_at.getTime() })
}
