import type { Actor } from '@tapeline/contracts/actor'
import { newEvent } from '@tapeline/contracts/event'
import { passwordChanged } from '@tapeline/contracts/identity/events'
import { recordEvent } from '@tapeline/events/outbox'
import type { Transaction } from 'kysely'
import type { Deps } from '../deps.ts'
import type { Tables } from '../tables.ts'

type PasswordChange = { userId: string; by: 'change' | 'reset'; sessionsEnded: number }

/** Records `identity.password-changed.v1` in the transaction of the change. */
export async function announcePasswordChange(
  trx: Transaction<Tables>,
  deps: Pick<Deps, 'now' | 'newId'>,
  actor: Actor,
  { userId, by, sessionsEnded }: PasswordChange,
): Promise<void> {
  const event = newEvent(passwordChanged, {
    id: deps.newId(),
    time: deps.now(),
    subject: userId,
    account: userId,
    actor,
    data: { user_id: userId, by, sessions_ended: sessionsEnded },
  })
  await recordEvent(trx, event)
}
