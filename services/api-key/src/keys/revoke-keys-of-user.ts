import { apiKeyRevoked } from '@tapeline/contracts/api-key/events'
import { newEvent } from '@tapeline/contracts/event'
import { recordEvent } from '@tapeline/events/outbox'
import type { Transaction } from 'kysely'
import type { Deps } from '../deps.ts'
import { aboutKey, factOf } from './key-event.ts'
import { changeKey, lockKeysOfOwner } from './key-queries.ts'
import { versionChanges, versionOf } from './key-version.ts'
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
  const now = deps.now()
  for (const old of await lockKeysOfOwner(trx, userId, now)) {
    if (old.state === 'revoked' || old.created_at > askedAt) continue
    const key = { ...old, state: 'revoked' as const, revoked_at: now, version: old.version + 1 }
    await changeKey(trx, old, { state: 'revoked', revoked_at: now, version: key.version })
    const event = newEvent(apiKeyRevoked, { ...aboutKey(deps, LISTENER, key), data: factOf(key) })
    await recordEvent(trx, event, ...versionChanges(versionOf(key, key.version)))
  }
}
