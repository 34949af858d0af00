import { contactLetter } from '../contact/contact-letter.ts'
import { mayEnter } from '../account-life/may-enter.ts'
import type { Deps } from '../deps.ts'
import { writeEmailChange, writeVerification } from '../email/write-email-link.ts'
import { writeExportLink } from '../exports/write-export-link.ts'
import { providerLinkedLetter, providerUnlinkedLetter } from '../oauth/provider-letters.ts'
import { writeReset } from '../passwords/write-reset.ts'
import { noticesLetter } from '../notices/notices-letter.ts'
import { reminderLetter } from '../reminders/reminder-letter.ts'
import type { UserRow } from '../users/user-queries.ts'
import type { Language } from './language.ts'
import type { Mail } from './mail.ts'
import type { MailRow } from './mail-queries.ts'
import { accountDeletedLetter, deletionCancelledLetter, deletionRequestedLetter } from './account-templates.ts'
import { emailChangeAskedLetter, emailChangedLetter } from './email-templates.ts'
import { type Letter, passwordChangedLetter, signUpTriedLetter } from './templates.ts'

export type MailToWrite = { row: MailRow; mail: Mail; user: UserRow | undefined }

/** In every language; undefined when there is nobody to write to. */
export async function writeLetter(
  deps: Deps,
  { row, mail, user }: MailToWrite,
): Promise<Record<Language, Letter> | undefined> {
  const forgotUrl = `${deps.webOrigin}/forgot-password`
  switch (mail.kind) {
    case 'password-reset':
      return user === undefined || !mayEnter(user, deps.now()) ? undefined : writeReset(deps, row, user)
    case 'password-changed':
      return passwordChangedLetter({ url: forgotUrl })
    case 'provider-linked':
      return providerLinkedLetter({ url: forgotUrl })
    case 'provider-unlinked':
      return providerUnlinkedLetter({ url: forgotUrl })
    case 'sign-up-tried':
      return user === undefined ? undefined : signUpTriedLetter({ url: forgotUrl })
    case 'verify-email':
      return user === undefined ? undefined : writeVerification(deps, row, user)
    case 'email-change':
      return user === undefined ? undefined : writeEmailChange(deps, row, user)
    case 'email-change-asked':
      return emailChangeAskedLetter({ url: forgotUrl })
    case 'email-changed':
      return emailChangedLetter({})
    case 'deletion-requested':
      return deletionRequestedLetter({ url: `${deps.webOrigin}/login`, dueAt: mail.due_at })
    case 'deletion-cancelled':
      return deletionCancelledLetter({ url: forgotUrl })
    case 'export-ready':
      return user === undefined ? undefined : writeExportLink(deps, { row, exportId: mail.export_id, user })
    case 'account-deleted':
      return accountDeletedLetter({})
    case 'reminder':
      return user?.status === 'active' ? reminderLetter({ facts: mail, webOrigin: deps.webOrigin }) : undefined
    case 'notices':
      return user?.status === 'active' ? noticesLetter({ ...mail, webOrigin: deps.webOrigin }) : undefined
    case 'contact':
      return contactLetter(mail)
  }
}
