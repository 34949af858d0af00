import { canSignIn } from '../account-deletion/can-sign-in.ts'
import type { Deps } from '../deps.ts'
import type { Language } from '../mail/language.ts'
import { hashLinkToken, linkTokenOf } from '../mail/link-token.ts'
import { isNewestMail, type MailRow } from '../mail/mail-queries.ts'
import { type Letter, passwordResetLetter } from '../mail/templates.ts'
import { lockUser, type UserRow } from '../users/user-queries.ts'
import { replaceReset } from './reset-queries.ts'

const MINUTE_MS = 60_000

/**
 * The link expires relative to now, not to the request: the mail may have been queued. Undefined for an account that
 * cannot sign in, and when the address changed, a new password cancelled the mail, or a newer mail replaces it.
 */
export async function writeReset(
  deps: Deps,
  row: MailRow,
  user: UserRow,
): Promise<Record<Language, Letter> | undefined> {
  if (!canSignIn(user, deps.now())) return undefined
  const token = linkTokenOf({ id: row.id, kind: 'password-reset' }, deps.secret)
  const at = deps.now()
  const expiresAt = new Date(at.getTime() + deps.resetLinkLifeMs)
  const isWritten = await deps.db.transaction().execute(async (trx) => {
    const now = await lockUser(trx, user.id)
    if (now?.email_canonical !== user.email_canonical || !(await isNewestMail(trx, row))) return false
    await replaceReset(trx, { hash: hashLinkToken(token), userId: user.id, at, expiresAt, provesAddress: true })
    return true
  })
  if (!isWritten) return undefined
  const url = `${deps.webOrigin}/auth/reset-password?token=${token}`
  return passwordResetLetter({ url, minutes: Math.round(deps.resetLinkLifeMs / MINUTE_MS) })
}
