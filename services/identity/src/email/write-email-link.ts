import { canonicalEmail } from '@tapeline/contracts/identity/canonical-email'
import type { Deps } from '../deps.ts'
import { emailChangeLetter, emailTakenLetter, verifyEmailLetter } from '../mail/email-templates.ts'
import type { Language } from '../mail/language.ts'
import { hashLinkToken, linkTokenOf } from '../mail/link-token.ts'
import { isNewestMail, type MailRow } from '../mail/mail-queries.ts'
import type { Letter } from '../mail/templates.ts'
import { findUserByEmail, lockUser, type UserRow } from '../users/user-queries.ts'
import { replaceEmailLink } from './email-link-queries.ts'

type Letters = Promise<Record<Language, Letter> | undefined>
type LinkToWrite = { kind: 'verify-email' | 'email-change'; row: MailRow; user: UserRow }

const HOUR_MS = 3_600_000

/** Writes no mail when the address was verified or changed since the request. */
export async function writeVerification(deps: Deps, row: MailRow, user: UserRow): Letters {
  if (user.email_verified || user.email !== row.recipient) return undefined
  const token = await makeLink(deps, { kind: 'verify-email', row, user })
  if (token === undefined) return undefined
  return verifyEmailLetter({ url: `${deps.webOrigin}/auth/verify-email?token=${token}`, hours: hoursOf(deps) })
}

/** When the new address belongs to another account, its owner is notified instead. */
export async function writeEmailChange(deps: Deps, row: MailRow, user: UserRow): Letters {
  const owner = await findUserByEmail(deps.db, canonicalEmail(row.recipient))
  if (owner !== undefined && owner.id !== user.id) return emailTakenLetter({ url: `${deps.webOrigin}/forgot-password` })
  const token = await makeLink(deps, { kind: 'email-change', row, user })
  if (token === undefined) return undefined
  return emailChangeLetter({ url: `${deps.webOrigin}/auth/confirm-email?token=${token}`, hours: hoursOf(deps) })
}

/**
 * The lifetime of the link starts now, not at the request. Undefined when a new password or a newer mail cancelled
 * this one.
 */
async function makeLink(deps: Deps, { kind, row, user }: LinkToWrite): Promise<string | undefined> {
  const token = linkTokenOf({ id: row.id, kind }, deps.secret)
  const at = deps.now()
  const expiresAt = new Date(at.getTime() + deps.emailLinkLifeMs)
  const purpose = kind === 'verify-email' ? 'verify' : 'change'
  const link = { hash: hashLinkToken(token), userId: user.id, purpose, email: row.recipient, at, expiresAt } as const
  return deps.db.transaction().execute(async (trx) => {
    const locked = await lockUser(trx, user.id)
    if (locked?.status !== 'active' || !(await isNewestMail(trx, row))) return undefined
    await replaceEmailLink(trx, link)
    return token
  })
}

function hoursOf({ emailLinkLifeMs }: Deps): number {
  return Math.max(1, Math.round(emailLinkLifeMs / HOUR_MS))
}
