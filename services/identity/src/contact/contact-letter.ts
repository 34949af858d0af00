import type { Contact } from '@tapeline/contracts/identity/contact'
import type { Language } from '../mail/language.ts'
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
