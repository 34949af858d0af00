import { accountDeleted } from '@tapeline/contracts/identity/events'
import { on, type Subscription } from '@tapeline/events/subscription'
import { eraseAccount } from './erase-account.ts'
import type { Tables } from './tables.ts'

/** Events consumed by config. */
export function subscriptions(): Subscription<Tables>[] {
  return [on(accountDeleted, (trx, { data: { user_id } }) => eraseAccount(trx, user_id))]
}
