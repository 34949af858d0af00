import type { Actor } from '@tapeline/contracts/actor'
import { newEvent } from '@tapeline/contracts/event'
import { providerUnlinked } from '@tapeline/contracts/identity/events'
import { recordEvent } from '@tapeline/events/outbox'
import type { Transaction } from 'kysely'
import type { Deps } from '../deps.ts'
import { recordMail } from '../mail/record-mail.ts'
import type { Tables } from '../tables.ts'
import type { UserRow } from '../users/user-queries.ts'

/** Publishes the event and mails the account's owner. */
export async function announceUnlinking(
  trx: Transaction<Tables>,
  deps: Pick<Deps, 'now' | 'newId' | 'secret'>,
  actor: Actor,
  user: Pick<UserRow, 'id' | 'email'>,
): Promise<void> {
  const event = newEvent(providerUnlinked, {
    id: deps.newId(),
    time: deps.now(),
    subject: user.id,
    account: user.id,
    actor,
    data: { user_id: user.id, provider: 'google' },
  })
  await recordEvent(trx, event)
  await recordMail(trx, deps, { userId: user.id, recipient: user.email, mail: { kind: 'provider-unlinked' } })
}
