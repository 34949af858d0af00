import type { UserActor } from '@tapeline/contracts/actor'
import type { KeyAnswer } from '@tapeline/contracts/api-key/http'
import type { Deps } from '../deps.ts'
import { findKey } from './key-queries.ts'
import { noSuchKey } from './no-such-key.ts'
import { presentKey } from './present-key.ts'

/** @throws AppError api_key.not_found */
export async function getKey(deps: Pick<Deps, 'db' | 'now'>, actor: UserActor, keyId: string): Promise<KeyAnswer> {
  const now = deps.now()
  const key = await findKey(deps.db, actor, { keyId, now })
  if (key === undefined) throw noSuchKey()
  return { key: presentKey(key, now) }
}
