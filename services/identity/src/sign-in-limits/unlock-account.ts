import type { Actor } from '@tapeline/contracts/actor'
import { newEvent } from '@tapeline/contracts/event'
import { canonicalEmail } from '@tapeline/contracts/identity/canonical-email'
import { accountUnlocked } from '@tapeline/contracts/identity/events'
import { recordEvent } from '@tapeline/events/outbox'
import type { Deps } from '../deps.ts'

type Unlocked = { account_id: string; unlocked: true }
type UnlockDeps = Pick<Deps, 'db' | 'now' | 'newId' | 'tries'>

/** Removes the delay caused by wrong passwords at this account. */
export async function unlockAccount(
  deps: UnlockDeps,
  actor: Actor,
  { account_id, email }: { account_id: string; email: string },
): Promise<Unlocked> {
  await deps.db.transaction().execute(async (trx) => {
    const about = { id: deps.newId(), time: deps.now(), subject: account_id, account: account_id, actor }
    await recordEvent(trx, newEvent(accountUnlocked, { ...about, data: { user_id: account_id } }))
    await deps.tries.forget(canonicalEmail(email))
  })
  return { account_id, unlocked: true }
}
