import type { Actor } from '@tapeline/contracts/actor'
import { newEvent } from '@tapeline/contracts/event'
import { providerLinked } from '@tapeline/contracts/identity/events'
import { recordEvent } from '@tapeline/events/outbox'
import type { Transaction } from 'kysely'
import type { Deps } from '../deps.ts'
import { recordMail } from '../mail/record-mail.ts'
import type { Tables } from '../tables.ts'
import type { ProviderIdentity } from './provider-identity.ts'
import { encryptToken } from '../grants/store-token.ts'
import { insertIdentity } from './oauth-queries.ts'

export type Link = {
  user: { id: string; email: string }
  claim: ProviderIdentity
  by: 'sign_up' | 'verified_email' | 'password' | 'session'
}

/** Links a provider identity to the account and notifies its owner by mail. */
export async function linkIdentity(
  trx: Transaction<Tables>,
  deps: Pick<Deps, 'now' | 'newId' | 'secret'>,
  actor: Actor,
  { user, claim, by }: Link,
): Promise<void> {
  const at = deps.now()
  const userId = user.id
  const { issuer, subject } = claim
  await insertIdentity(trx, {
    issuer,
    subject,
    user_id: userId,
    sealed_token: encryptToken(deps, claim),
    linked_at: at,
  })
  const event = newEvent(providerLinked, {
    id: deps.newId(),
    time: at,
    subject: userId,
    account: userId,
    actor,
    data: { user_id: userId, provider: 'google', by },
  })
  await recordEvent(trx, event)
  if (by === 'sign_up') return
  await recordMail(trx, deps, { userId, recipient: user.email, mail: { kind: 'provider-linked' } })
}
