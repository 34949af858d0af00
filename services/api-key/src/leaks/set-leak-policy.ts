import type { UserActor } from '@tapeline/contracts/actor'
import { leakPolicyChanged } from '@tapeline/contracts/api-key/events'
import { LEAK_ACTION_DEFAULT, type LeakPolicy } from '@tapeline/contracts/api-key/leaks'
import { newEvent } from '@tapeline/contracts/event'
import { recordEvent } from '@tapeline/events/outbox'
import type { Deps } from '../deps.ts'
import { lockKeysOfUser } from '../keys/key-queries.ts'
import { findLeakAction, saveLeakAction } from './leak-queries.ts'

/** What happens to the actor's keys when they are reported as leaked. */
export async function showLeakPolicy({ db }: Pick<Deps, 'db'>, { userId }: UserActor): Promise<LeakPolicy> {
  return { action: (await findLeakAction(db, userId)) ?? LEAK_ACTION_DEFAULT }
}

/** Setting it to what it is changes nothing and publishes nothing. */
export async function setLeakPolicy(
  { db, now, newId }: Pick<Deps, 'db' | 'now' | 'newId'>,
  actor: UserActor,
  { action }: LeakPolicy,
): Promise<LeakPolicy> {
  const { userId } = actor
  await db.transaction().execute(async (trx) => {
    await lockKeysOfUser(trx, userId)
    const before = (await findLeakAction(trx, userId)) ?? LEAK_ACTION_DEFAULT
    if (before === action) return
    const at = now()
    await saveLeakAction(trx, userId, { action, at })
    const data = { account_id: userId, before: { action: before }, after: { action } }
    const event = newEvent(leakPolicyChanged, { id: newId(), time: at, subject: userId, account: userId, actor, data })
    await recordEvent(trx, event)
  })
  return { action }
}
