import { accountDeleted, statusChanged } from '@tapeline/contracts/identity/events'
import { on, type Subscription } from '@tapeline/events/subscription'
import type { Deps } from './deps.ts'
import { eraseAccount } from './erase-account.ts'
import { holdInvoices } from './subscriptions/hold-invoices.ts'
import { resumeInvoices } from './subscriptions/resume-invoices.ts'
import type { Tables } from './tables.ts'

/** Events consumed by config. */
export function subscriptions(deps: Pick<Deps, 'now' | 'newId'>): Subscription<Tables>[] {
  return [
    // Also published when an owner requests the deletion of the account, and when it is cancelled.
    on(statusChanged, (trx, { time, data: { user_id, after } }) =>
      after.status === 'active'
        ? resumeInvoices(deps, trx, user_id, new Date(time))
        : holdInvoices(deps, trx, user_id, new Date(time)),
    ),
    on(accountDeleted, (trx, { data: { user_id } }) => eraseAccount(trx, user_id)),
  ]
}
