import type { UserActor } from '@tapeline/contracts/actor'
import type { CreatedKey, CreateKey } from '@tapeline/contracts/api-key/http'
import { keyCountersField } from '@tapeline/service/account-versions'
import type { KeyDeps } from '../deps.ts'
import { tellGateways, versionOf } from './key-version.ts'
import { addKey, type NewKey } from './new-key.ts'
import { presentKey } from './present-key.ts'
import type { ApiKeyRow } from '../tables.ts'

/** The only answer that ever holds the whole key, with that of a regeneration. */
export async function createKey(deps: KeyDeps, actor: UserActor, input: CreateKey): Promise<CreatedKey> {
  const made = await deps.db.transaction().execute((trx) => addKey(deps, trx, actor, input))
  return presentNewKey(deps, made)
}

export async function presentNewKey(deps: KeyDeps, { apiKey, key }: NewKey): Promise<CreatedKey> {
  const [effective] = await Promise.all([tellGateways(deps, versionOf(key, key.version)), markEmpty(deps, key)])
  return { apiKey, name: key.name, key: presentKey(key, deps.now()), ...effective }
}

/** The counters of a new key are known to be empty: its first use asks nobody for them. Without Redis it does. */
async function markEmpty(deps: KeyDeps, { id, user_id, rate_limits, created_at }: ApiKeyRow): Promise<void> {
  if (rate_limits === null) return
  await deps.raiseVersion({ accountId: user_id, field: keyCountersField(id), version: created_at.getTime() })
}
