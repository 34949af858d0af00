import { contactLetter } from '../contact/contact-letter.ts'
import type { Deps } from '../deps.ts'
import { providerLinkedLetter, providerUnlinkedLetter } from '../oauth/provider-letters.ts'
import { accountDeletedLetter, deletionCancelledLetter, deletionRequestedLetter } from './account-templates.ts'
import { emailChangeRequestedLetter, emailChangedLetter } from './email-templates.ts'
import type { Language } from './language.ts'
import type { Mail } from './mail.ts'
import { type Letter, passwordChangedLetter } from './templates.ts'

/** Mails that need the user's current data when they are written. */
export type MailToUser = Extract<
  Mail,
  {
    kind:
      | 'password-reset'
      | 'device-link'
      | 'verify-email'
      | 'email-change'
      | 'export-ready'
      | 'sign-up-tried'
      | 'reminder'
      | 'notices'
      | 'report'
  }
>

/** Renders mails that need only their own data. */
export function plainLetter(
  { webOrigin }: Pick<Deps, 'webOrigin'>,
  mail: Exclude<Mail, MailToUser | { kind: 'contact-digest' }>,
): Record<Language, Letter> {
  const url = `${webOrigin}/forgot-password`
  switch (mail.kind) {
    case 'password-changed':
      return passwordChangedLetter({ url })
    case 'provider-linked':
      return providerLinkedLetter({ url })
    case 'provider-unlinked':
      return providerUnlinkedLetter({ url })
    case 'email-change-asked':
      return emailChangeRequestedLetter({ url })
    case 'email-changed':
      return emailChangedLetter({})
    case 'deletion-requested':
      return deletionRequestedLetter({ url: `${webOrigin}/login`, dueAt: mail.due_at })
    case 'deletion-cancelled':
      return deletionCancelledLetter({ url })
    case 'account-deleted':
      return accountDeletedLetter({})
    case 'contact':
      return contactLetter(mail)
  }
}
