import { contactLetter } from '../contact/contact-letter.ts'
import type { Deps } from '../deps.ts'
import { replaceReset } from '../passwords/reset-queries.ts'
import { hashResetToken, resetTokenOf } from '../passwords/reset-token.ts'
import type { UserRow } from '../users/user-queries.ts'
import type { Language } from './language.ts'
import type { Mail } from './mail.ts'
import type { MailRow } from './mail-queries.ts'
import { type Letter, passwordChangedLetter, passwordResetLetter, signUpTriedLetter } from './templates.ts'

export type MailToWrite = { row: MailRow; mail: Mail; user: UserRow | undefined }

const MINUTE_MS = 60_000

/** In every language; undefined when there is nobody to write to. */
export async function writeLetter(
  deps: Deps,
  { row, mail, user }: MailToWrite,
): Promise<Record<Language, Letter> | undefined> {
  const forgotUrl = `${deps.webOrigin}/forgot-password`
  switch (mail.kind) {
    case 'password-reset':
      return user === undefined || user.status !== 'active' ? undefined : writeReset(deps, row, user)
    case 'password-changed':
      return passwordChangedLetter({ url: forgotUrl })
    case 'sign-up-tried':
      return user === undefined ? undefined : signUpTriedLetter({ url: forgotUrl })
    case 'contact':
      return contactLetter(mail)
  }
}

/** The link's life begins now, not when it was asked for: a mail may have waited. */
async function writeReset(deps: Deps, row: MailRow, user: UserRow): Promise<Record<Language, Letter>> {
  const token = resetTokenOf(row.id, deps.secret)
  const at = deps.now()
  const expiresAt = new Date(at.getTime() + deps.resetLinkLifeMs)
  await replaceReset(deps.db, { hash: hashResetToken(token), userId: user.id, at, expiresAt })
  const url = `${deps.webOrigin}/auth/reset-password?token=${token}`
  return passwordResetLetter({ url, minutes: Math.round(deps.resetLinkLifeMs / MINUTE_MS) })
}
