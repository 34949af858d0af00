import type { Contact } from '@tapeline/contracts/identity/contact'
import type { Language } from '../mail/language.ts'
import type { Mail } from '../mail/mail.ts'
import type { Letter } from '../mail/templates.ts'

/** For the operator, so in English only. The sender's address is in the body, where it cannot inject a header. */
export function contactLetter({ name, email, topic = 'other', message }: Contact): Record<Language, Letter> {
  const letter: Letter = {
    subject: `Contact form: ${topic}`,
    paragraphs: [`${name} <${email}> wrote:`, ...message.split(/\r\n|\r|\n/).filter((line) => line.trim() !== '')],
    footer: 'Sent by the contact form. Reply to the address above.',
  }
  return { en: letter, es: letter, fr: letter }
}

type Digest = Extract<Mail, { kind: 'contact-digest' }>

/** In English only, as the mail of a single message. */
export function contactDigestLetter({ total, messages }: Digest): Record<Language, Letter> {
  const listed =
    messages.length < total ? `${messages.length} of them, from as many networks as possible:` : 'All of them:'
  const letter: Letter = {
    subject: `Contact form: more messages (${total})`,
    paragraphs: [
      `Messages that were not mailed one by one, because more than 60 arrived within an hour or CONTACT_EMAIL was not set: ${total}.`,
      listed,
    ],
    facts: messages.map(({ name, email, topic, message }) => `${name} <${email}> (${topic}): ${message}`),
    footer:
      'Sent by the contact form, at most once an hour. All messages are in the table contact_message of identity.',
  }
  return { en: letter, es: letter, fr: letter }
}
