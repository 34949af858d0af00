import type { UserActor } from '@tapeline/contracts/actor'
import type { CreatedKey, CreateKey } from '@tapeline/contracts/api-key/http'
import type { KeyDeps } from './deps.ts'
import { tellGateways, versionOf } from './key-version.ts'
import { addKey, type NewKey } from './new-key.ts'
import { presentKey } from './present-key.ts'

/** The only answer that ever holds the whole key, with that of a regeneration. */
export async function createKey(deps: KeyDeps, actor: UserActor, input: CreateKey): Promise<CreatedKey> {
  const made = await deps.db.transaction().execute((trx) => addKey(deps, trx, actor, input))
  return presentNewKey(deps, made)
}

export async function presentNewKey(deps: KeyDeps, { apiKey, key }: NewKey): Promise<CreatedKey> {
  const effective = await tellGateways(deps, versionOf(key, key.version))
  return { apiKey, name: key.name, key: presentKey(key, deps.now()), ...effective }
}
