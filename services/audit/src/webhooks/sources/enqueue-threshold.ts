import type { Transaction } from 'kysely'
import type { Deps } from '../../deps.ts'
import type { NewNotification } from '../../notifications/notification-queries.ts'
import type { Tables } from '../../tables.ts'
import { enqueue } from './enqueue.ts'

type Reached = Pick<NewNotification, 'accountId' | 'about' | 'level'>

/** Queues `usage.threshold`, in the transaction of the notification that was raised: both exist once per cause. */
export async function enqueueThreshold(
  deps: Pick<Deps, 'now' | 'newId' | 'settings'>,
  trx: Transaction<Tables>,
  { accountId, about, level }: Reached,
): Promise<void> {
  if (about.kind !== 'quota') return
  await enqueue(deps, trx, {
    eventId: deps.newId(),
    accountId,
    type: 'usage.threshold',
    subject: `${about.data.policy}, ${level}%`,
    occurredAt: deps.now(),
    data: { account_id: accountId, ...about.data },
  })
}
