import type { UserActor } from '@tapeline/contracts/actor'
import type { KeyList } from '@tapeline/contracts/api-key/http'
import type { Deps } from '../deps.ts'
import { listKeysOfUser } from './key-queries.ts'
import { KEYS_LISTED_MAX } from './keys-per-tier.ts'
import { presentKey } from './present-key.ts'

/** Keys as their owner sees them: for the owner, and for identity's account export. */
export async function listKeys(
  deps: Pick<Deps, 'db' | 'now'>,
  { userId }: Pick<UserActor, 'userId'>,
): Promise<KeyList> {
  const now = deps.now()
  const rows = await listKeysOfUser(deps.db, userId, { now, limit: KEYS_LISTED_MAX })
  return { apiKeys: rows.map((row) => presentKey(row, now)) }
}
