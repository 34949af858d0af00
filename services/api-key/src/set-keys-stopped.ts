import { apiKeyUpdated } from '@tapeline/contracts/api-key/events'
import { newEvent } from '@tapeline/contracts/event'
import { recordEvent } from '@tapeline/events/outbox'
import type { Transaction } from 'kysely'
import type { Deps } from './deps.ts'
import { aboutKey, factOf } from './key-event.ts'
import { changeKey, lockKeysOfOwner } from './key-queries.ts'
import { versionChanges, versionOf } from './key-version.ts'
import type { Tables } from './tables.ts'

const LISTENER = { kind: 'service', service: 'api-key' } as const

/**
 * The keys of an inactive account are inactive, and go on as they were when it is active again. Gateways refuse the
 * account anyway. Safe to run twice: the second run finds no key that is not yet as wanted.
 */
export async function setKeysStopped(
  deps: Pick<Deps, 'now' | 'newId'>,
  trx: Transaction<Tables>,
  userId: string,
  wanted: 'stopped' | 'going on',
): Promise<void> {
  const now = deps.now()
  const stoppedAt = wanted === 'stopped' ? now : null
  for (const old of await lockKeysOfOwner(trx, userId, now)) {
    if (old.state === 'revoked' || (old.owner_stopped_at === null) === (stoppedAt === null)) continue
    const key = { ...old, owner_stopped_at: stoppedAt, version: old.version + 1 }
    await changeKey(trx, old, { owner_stopped_at: stoppedAt, version: key.version })
    const wasActive = wanted === 'stopped'
    const data = { ...factOf(key), before: { owner_is_active: wasActive }, after: { owner_is_active: !wasActive } }
    const event = newEvent(apiKeyUpdated, { ...aboutKey(deps, LISTENER, key), data })
    await recordEvent(trx, event, ...versionChanges(versionOf(key, key.version)))
  }
}
