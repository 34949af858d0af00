import type { Actor } from '@tapeline/contracts/actor'
import { newEvent } from '@tapeline/contracts/event'
import { emailVerified } from '@tapeline/contracts/identity/events'
import { recordEvent } from '@tapeline/events/outbox'
import type { Transaction } from 'kysely'
import type { Deps } from '../deps.ts'
import type { Tables } from '../tables.ts'
import { updateProfileFields, type UserRow } from '../users/user-queries.ts'

/** Publishes the event once: an already verified address is unchanged. */
export async function markEmailVerified(
  trx: Transaction<Tables>,
  deps: Pick<Deps, 'now' | 'newId'>,
  actor: Actor,
  user: Pick<UserRow, 'id' | 'email_verified'>,
): Promise<void> {
  if (user.email_verified) return
  await updateProfileFields(trx, user.id, { email_verified: true })
  const event = newEvent(emailVerified, {
    id: deps.newId(),
    time: deps.now(),
    subject: user.id,
    account: user.id,
    actor,
    data: { user_id: user.id },
  })
  await recordEvent(trx, event)
}
