import { apiKeyUpdated } from '@tapeline/contracts/api-key/events'
import { newEvent } from '@tapeline/contracts/event'
import { recordEvent } from '@tapeline/events/outbox'
import type { Transaction } from 'kysely'
import type { Deps } from '../deps.ts'
import { aboutKey, factOf } from './key-event.ts'
import { changeKey, lockKeysOfOwner } from './key-queries.ts'
import type { Tables } from '../tables.ts'

const LISTENER = { kind: 'service', service: 'api-key' } as const

/**
 * Marks the keys of an account as stopped while it is inactive. Gateways check the account itself, so versions are
 * unchanged. Idempotent: a second run finds no key to change.
 */
export async function setOwnerActive(
  deps: Pick<Deps, 'now' | 'newId'>,
  trx: Transaction<Tables>,
  userId: string,
  isActive: boolean,
): Promise<void> {
  const now = deps.now()
  const stoppedAt = isActive ? null : now
  for (const old of await lockKeysOfOwner(trx, userId, now)) {
    if (old.state === 'revoked' || (old.owner_stopped_at === null) === (stoppedAt === null)) continue
    await changeKey(trx, old, { owner_stopped_at: stoppedAt })
    const data = { ...factOf(old), before: { owner_is_active: !isActive }, after: { owner_is_active: isActive } }
    await recordEvent(trx, newEvent(apiKeyUpdated, { ...aboutKey(deps, LISTENER, old), data }))
  }
}
