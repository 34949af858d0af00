import { accountDeleted, accountDeletionRequested, statusChanged } from '@tapeline/contracts/identity/events'
import { on, onBatch, type Subscription } from '@tapeline/events/subscription'
import type { Deps } from './deps.ts'
import { forgetKeysOfUser } from './forget-keys-of-user.ts'
import { keyUsed, recordUse } from './record-use.ts'
import { revokeKeysOfUser } from './revoke-keys-of-user.ts'
import { setKeysStopped } from './set-keys-stopped.ts'
import type { Tables } from './tables.ts'

type Clock = Pick<Deps, 'now' | 'newId'>

/** What happens to accounts. */
export function accountSubscriptions(deps: Clock): Subscription<Tables>[] {
  return [
    on(statusChanged, (trx, { data: { user_id, after } }) =>
      setKeysStopped(deps, trx, user_id, after.status === 'active' ? 'going on' : 'stopped'),
    ),
    on(accountDeletionRequested, (trx, { time, data: { user_id } }) =>
      revokeKeysOfUser(deps, trx, { userId: user_id, askedAt: new Date(time) }),
    ),
    on(accountDeleted, (trx, { data: { user_id } }) => forgetKeysOfUser(deps, trx, user_id)),
  ]
}

/** What keys are used for. */
export function usageSubscriptions(deps: Clock): Subscription<Tables>[] {
  return [onBatch(keyUsed, (trx, events) => recordUse(deps, trx, events))]
}
