import type { Actor } from '@tapeline/contracts/actor'
import type { Deps } from '../deps.ts'
import type { ApiKeyRow } from '../tables.ts'

type Named = Pick<ApiKeyRow, 'id' | 'user_id' | 'name' | 'kid'>

/** What every event about a key says beside its data. */
export function aboutKey(deps: Pick<Deps, 'now' | 'newId'>, actor: Actor, key: Pick<Named, 'id' | 'user_id'>) {
  return { id: deps.newId(), time: deps.now(), subject: key.id, account: key.user_id, actor }
}

/** Which key it is. */
export function nameOf({ id, user_id, name, kid }: Named) {
  return { key_id: id, kid, account_id: user_id, name }
}

/** Which key it is now, for those who hold what they know of it. */
export function factOf(key: ApiKeyRow) {
  const graced = key.graced_kid === null ? {} : { graced_kids: [key.graced_kid] }
  return { ...nameOf(key), version: key.version, ...graced }
}
