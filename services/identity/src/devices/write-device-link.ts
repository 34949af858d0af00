import type { Transaction } from 'kysely'
import { canSignIn } from '../account-deletion/can-sign-in.ts'
import type { Deps } from '../deps.ts'
import { findEmailLinkOf, replaceEmailLink } from '../email/email-link-queries.ts'
import type { Language } from '../mail/language.ts'
import { hashLinkToken, linkTokenOf } from '../mail/link-token.ts'
import { findMail, type MailRow } from '../mail/mail-queries.ts'
import { deviceLinkLetter, type Letter } from '../mail/templates.ts'
import type { Tables } from '../tables.ts'
import { lockUser, type UserRow } from '../users/user-queries.ts'

const MINUTE_MS = 60_000
const LIFE_MS = 10 * MINUTE_MS
/**
 * A newer unused link is not replaced within this time: requests by other clients must not invalidate the owner's
 * link.
 */
const REPLACED_AFTER_MS = 5 * MINUTE_MS

/** Undefined when the account has a fresh link already, its address changed, or the mail was cancelled. */
export async function writeDeviceLink(
  deps: Deps,
  row: MailRow,
  user: UserRow,
): Promise<Record<Language, Letter> | undefined> {
  const token = linkTokenOf({ id: row.id, kind: 'device-link' }, deps.secret)
  const isWritten = await deps.db
    .transaction()
    .execute((trx) => saveLink(trx, deps, { row, user, hash: hashLinkToken(token) }))
  if (!isWritten) return undefined
  return deviceLinkLetter({ url: `${deps.webOrigin}/auth/trust-device?token=${token}`, minutes: LIFE_MS / MINUTE_MS })
}

type LinkToSave = { row: MailRow; user: UserRow; hash: Buffer }

async function saveLink(
  trx: Transaction<Tables>,
  deps: Pick<Deps, 'now'>,
  { row, user, hash }: LinkToSave,
): Promise<boolean> {
  const at = deps.now()
  const locked = await lockUser(trx, user.id)
  if (locked?.email_canonical !== user.email_canonical || !canSignIn(locked, at)) return false
  if ((await findMail(trx, row.id)) === undefined) return false
  const last = await findEmailLinkOf(trx, user.id, 'device')
  const isSameMail = last?.hash.equals(hash) === true
  if (last !== undefined && !isSameMail && at.getTime() - last.created_at.getTime() < REPLACED_AFTER_MS) return false
  const expiresAt = new Date(at.getTime() + LIFE_MS)
  await replaceEmailLink(trx, { hash, userId: user.id, purpose: 'device', email: locked.email, at, expiresAt })
  return true
}
