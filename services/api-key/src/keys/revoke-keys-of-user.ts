import type { Transaction } from 'kysely'
import type { Deps } from '../deps.ts'
import { lockKeysOfOwner } from './key-queries.ts'
import { revokeLockedKey } from './revoke-key.ts'
import type { Tables } from '../tables.ts'

const LISTENER = { kind: 'service', service: 'api-key' } as const

/**
 * Revokes an account's keys permanently when its deletion is requested, even if the owner returns; keys created
 * afterwards are unaffected. Idempotent: a second run finds only revoked keys.
 */
export async function revokeKeysOfUser(
  deps: Pick<Deps, 'now' | 'newId'>,
  trx: Transaction<Tables>,
  { userId, askedAt }: { userId: string; askedAt: Date },
): Promise<void> {
  for (const key of await lockKeysOfOwner(trx, userId, deps.now())) {
    if (key.state === 'revoked' || key.created_at > askedAt) continue
    await revokeLockedKey(deps, trx, LISTENER, key)
  }
}
