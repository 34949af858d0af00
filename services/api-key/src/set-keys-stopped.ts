import { apiKeyUpdated } from '@tapeline/contracts/api-key/events'
import { newEvent } from '@tapeline/contracts/event'
import { recordEvent } from '@tapeline/events/outbox'
import type { Transaction } from 'kysely'
import type { Deps } from './deps.ts'
import { aboutKey, factOf } from './key-event.ts'
import { changeKey, lockKeysOfOwner } from './key-queries.ts'
import type { Tables } from './tables.ts'

const LISTENER = { kind: 'service', service: 'api-key' } as const

/**
 * The keys of an inactive account are shown as inactive, and go on as they were when it is active again. Gateways go by
 * the account itself, so no version rises. Safe to run twice: the second run finds no key that is not yet as wanted.
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
    await changeKey(trx, old, { owner_stopped_at: stoppedAt })
    const wasActive = wanted === 'stopped'
    const data = { ...factOf(old), before: { owner_is_active: wasActive }, after: { owner_is_active: !wasActive } }
    await recordEvent(trx, newEvent(apiKeyUpdated, { ...aboutKey(deps, LISTENER, old), data }))
  }
}
