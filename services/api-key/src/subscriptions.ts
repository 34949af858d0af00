import { accountDeleted, accountDeletionRequested, statusChanged } from '@tapeline/contracts/identity/events'
import { on, onBatch, type Subscription } from '@tapeline/events/subscription'
import type { Deps } from './deps.ts'
import { erasePersonalData } from './removal/erase-personal-data.ts'
import { keyUsed, recordUse } from './usage/record-use.ts'
import { revokeKeysOfUser } from './keys/revoke-keys-of-user.ts'
import { setOwnerActive } from './keys/set-owner-active.ts'
import type { Tables } from './tables.ts'

type Clock = Pick<Deps, 'now' | 'newId'>

/** Events about accounts. */
export function accountSubscriptions(deps: Clock): Subscription<Tables>[] {
  return [
    on(statusChanged, (trx, { data: { user_id, after } }) =>
      setOwnerActive(deps, trx, user_id, after.status === 'active'),
    ),
    on(accountDeletionRequested, (trx, { time, data: { user_id } }) =>
      revokeKeysOfUser(deps, trx, { userId: user_id, askedAt: new Date(time) }),
    ),
    on(accountDeleted, (trx, { data: { user_id } }) => erasePersonalData(deps, trx, user_id)),
  ]
}

/** Usage events. */
export function usageSubscriptions(deps: Clock): Subscription<Tables>[] {
  return [onBatch(keyUsed, (trx, events) => recordUse(deps, trx, events))]
}
