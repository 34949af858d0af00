import type { Transaction } from 'kysely'
import { canSignIn } from '../account-deletion/can-sign-in.ts'
import type { Deps } from '../deps.ts'
import type { Language } from '../mail/language.ts'
import { hashLinkToken, linkTokenOf } from '../mail/link-token.ts'
import { findMail, type MailRow } from '../mail/mail-queries.ts'
import { type Letter, passwordResetLetter } from '../mail/templates.ts'
import type { Tables } from '../tables.ts'
import { lockUser, type UserRow } from '../users/user-queries.ts'
import { findResetOf, replaceReset } from './reset-queries.ts'

const MINUTE_MS = 60_000
/** A newer unused link is not replaced within this time: requests by others must not invalidate the owner's link. */
const REPLACED_AFTER_MS = 5 * MINUTE_MS

/**
 * The link expires relative to now, not to the request: the mail may have been queued. Undefined for an account that
 * cannot sign in or has a fresh link already, and when the address changed or a new password cancelled the mail.
 */
export async function writeReset(
  deps: Deps,
  row: MailRow,
  user: UserRow,
): Promise<Record<Language, Letter> | undefined> {
  if (!canSignIn(user, deps.now())) return undefined
  const token = linkTokenOf({ id: row.id, kind: 'password-reset' }, deps.secret)
  const isWritten = await deps.db
    .transaction()
    .execute((trx) => saveLink(trx, deps, { row, user, hash: hashLinkToken(token) }))
  if (!isWritten) return undefined
  const url = `${deps.webOrigin}/auth/reset-password?token=${token}`
  return passwordResetLetter({ url, minutes: Math.round(deps.resetLinkLifeMs / MINUTE_MS) })
}

type LinkToSave = { row: MailRow; user: UserRow; hash: Buffer }

async function saveLink(
  trx: Transaction<Tables>,
  deps: Pick<Deps, 'now' | 'resetLinkLifeMs'>,
  { row, user, hash }: LinkToSave,
): Promise<boolean> {
  const at = deps.now()
  const locked = await lockUser(trx, user.id)
  if (locked?.email_canonical !== user.email_canonical || (await findMail(trx, row.id)) === undefined) return false
  const last = await findResetOf(trx, user.id, at)
  if (last !== undefined && !last.hash.equals(hash) && isKept(last, row, at)) return false
  const expiresAt = new Date(at.getTime() + deps.resetLinkLifeMs)
  await replaceReset(trx, { hash, userId: user.id, at, expiresAt, provesAddress: true })
  return true
}

/** Whether a link is fresh, or the mail was requested before it: a resent mail must not replace a newer one. */
function isKept({ created_at }: { created_at: Date }, row: MailRow, at: Date): boolean {
  return at.getTime() - created_at.getTime() < REPLACED_AFTER_MS || row.created_at < created_at
}
