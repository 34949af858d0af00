import type { Actor } from '@tapeline/contracts/actor'
import { newEvent } from '@tapeline/contracts/event'
import { canonicalEmail } from '@tapeline/contracts/identity/canonical-email'
import type { ConfirmedEmail, ConfirmLink } from '@tapeline/contracts/identity/email'
import { emailChanged } from '@tapeline/contracts/identity/events'
import { isUniqueViolation } from '@tapeline/database/unique-violation'
import { recordEvent } from '@tapeline/events/outbox'
import type { Transaction } from 'kysely'
import type { Deps } from '../deps.ts'
import { clearExportTokens } from '../exports/export-queries.ts'
import { recordMail } from '../mail/record-mail.ts'
import { dropUnprovenLink } from '../oauth/drop-unproven-link.ts'
import { deleteResetOf } from '../passwords/reset-queries.ts'
import type { Tables } from '../tables.ts'
import { EMAIL_CONSTRAINT, findUserByEmail, updateProfileFields } from '../users/user-queries.ts'
import { deleteEmailLinksOf } from './email-link-queries.ts'
import { invalidEmailLink } from './invalid-email-link.ts'
import { useEmailLink } from './use-email-link.ts'

/**
 * The link was mailed to the new address, which is thereby verified. Links mailed to the old address are invalidated.
 */
export async function confirmEmailChange(deps: Deps, actor: Actor, { token }: ConfirmLink): Promise<ConfirmedEmail> {
  try {
    return await deps.db.transaction().execute((trx) => save(trx, deps, actor, token))
  } catch (error) {
    // Another account took the address concurrently.
    throw isUniqueViolation(error, EMAIL_CONSTRAINT) ? invalidEmailLink() : error
  }
}

async function save(trx: Transaction<Tables>, deps: Deps, actor: Actor, token: string): Promise<ConfirmedEmail> {
  const { user, email } = await useEmailLink(trx, deps, { token, purpose: 'change' })
  if (user.status !== 'active') throw invalidEmailLink()
  const holder = await findUserByEmail(trx, canonicalEmail(email))
  if (holder !== undefined && holder.id !== user.id) throw invalidEmailLink()
  await dropUnprovenLink(trx, deps, actor, user)
  await updateProfileFields(trx, user.id, { email, email_canonical: canonicalEmail(email), email_verified: true })
  await deleteResetOf(trx, user.id)
  await deleteEmailLinksOf(trx, user.id)
  await clearExportTokens(trx, user.id)
  const event = newEvent(emailChanged, {
    id: deps.newId(),
    time: deps.now(),
    subject: user.id,
    account: user.id,
    actor,
    data: { user_id: user.id, before: { email: user.email }, after: { email } },
  })
  await recordEvent(trx, event)
  await recordMail(trx, deps, { userId: user.id, recipient: user.email, mail: { kind: 'email-changed' } })
  return { email }
}
