import { contactDigestLetter } from '../contact/contact-letter.ts'
import type { Deps } from '../deps.ts'
import { writeDeviceLink } from '../devices/write-device-link.ts'
import { writeEmailChange, writeVerification } from '../email/write-email-link.ts'
import { writeExportLink } from '../exports/write-export-link.ts'
import { noticesLetter } from '../notices/notices-letter.ts'
import { writeReset } from '../passwords/write-reset.ts'
import { reminderLetter } from '../reminders/reminder-letter.ts'
import { reportLetter } from '../report-mails/report-letter.ts'
import type { UserRow } from '../users/user-queries.ts'
import type { Language } from './language.ts'
import type { Mail } from './mail.ts'
import type { MailRow } from './mail-queries.ts'
import { type MailToUser, plainLetter } from './plain-letter.ts'
import { type Letter, signUpTriedLetter } from './templates.ts'

export type MailToWrite = { row: MailRow; mail: Mail; user: UserRow | undefined }
type Letters = Record<Language, Letter> | undefined

const TO_USERS: ReadonlySet<Mail['kind']> = new Set<MailToUser['kind']>([
  'password-reset',
  'device-link',
  'verify-email',
  'email-change',
  'export-ready',
  'sign-up-tried',
  'reminder',
  'notices',
  'report',
])

/** The mail in every language; undefined when there is no recipient. */
export async function writeLetter(deps: Deps, { row, mail, user }: MailToWrite): Promise<Letters> {
  if (mail.kind === 'contact-digest') return contactDigestLetter(mail)
  if (!isToUser(mail)) return plainLetter(deps, mail)
  return user === undefined ? undefined : letterTo(deps, { row, mail, user })
}

function isToUser(mail: Mail): mail is MailToUser {
  return TO_USERS.has(mail.kind)
}

type Addressed = { row: MailRow; mail: MailToUser; user: UserRow }

async function letterTo(deps: Deps, { row, mail, user }: Addressed): Promise<Letters> {
  if (isNews(mail)) return user.status === 'active' ? newsLetter(deps, mail) : undefined
  switch (mail.kind) {
    case 'password-reset':
      return writeReset(deps, row, user)
    case 'device-link':
      return writeDeviceLink(deps, row, user)
    case 'verify-email':
      return writeVerification(deps, row, user)
    case 'email-change':
      return writeEmailChange(deps, row, user)
    case 'export-ready':
      return writeExportLink(deps, { row, exportId: mail.export_id, user })
    case 'sign-up-tried':
      return signUpTriedLetter({ url: `${deps.webOrigin}/forgot-password` })
  }
}

type News = Extract<MailToUser, { kind: 'reminder' | 'notices' | 'report' }>

function isNews(mail: MailToUser): mail is News {
  return mail.kind === 'reminder' || mail.kind === 'notices' || mail.kind === 'report'
}

function newsLetter({ webOrigin }: Deps, mail: News): Letters {
  if (mail.kind === 'report') return reportLetter({ ...mail, webOrigin })
  return mail.kind === 'reminder' ? reminderLetter({ facts: mail, webOrigin }) : noticesLetter({ ...mail, webOrigin })
}
