import type { Actor } from '@tapeline/contracts/actor'
import type { Deps } from '../deps.ts'
import type { ApiKeyRow } from '../tables.ts'

type Named = Pick<ApiKeyRow, 'id' | 'user_id' | 'name' | 'kid'>

/** Envelope fields common to all events about keys. */
export function aboutKey(deps: Pick<Deps, 'now' | 'newId'>, actor: Actor, key: Pick<Named, 'id' | 'user_id'>) {
  return { id: deps.newId(), time: deps.now(), subject: key.id, account: key.user_id, actor }
}

/** Identifies a key in an event. */
export function nameOf({ id, user_id, name, kid }: Named) {
  return { key_id: id, kid, account_id: user_id, name }
}

/** The key's current state, for consumers that cache it. */
export function factOf(key: ApiKeyRow) {
  const graced = key.graced_kid === null ? {} : { graced_kids: [key.graced_kid] }
  return { ...nameOf(key), version: key.version, ...graced }
}
