import { createTransport } from 'nodemailer'
import type { RenderedMail } from './render-letter.ts'

export type Attachment = { name: string; contentType: string; content: Buffer }
export type OutgoingMail = RenderedMail & { id: string; to: string; attachments?: Attachment[] }
export type SendLetter = (mail: OutgoingMail) => Promise<void>
export type MailerOptions = { url: string; from: string }

const TIMEOUT_MS = 10_000

/** Creates the SMTP client. A mail's id is its Message-ID, the same for every attempt. */
export function createMailer({ url, from }: MailerOptions): { send: SendLetter; close: () => void } {
  const transport = createTransport({
    url,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const domain = from.slice(from.lastIndexOf('@') + 1).replace(/>.*$/, '')
  return {
    async send({ id, to, subject, text, html, attachments = [] }) {
      await transport.sendMail({
        messageId: `<${id}@${domain}>`,
        from,
        // An object, so that the address cannot contain a second recipient.
        to: { name: '', address: to },
        subject,
        text,
        html,
        attachments: attachments.map(({ name, contentType, content }) => ({
          filename: name,
          contentType,
          content,
        })),
        headers: { 'Auto-Submitted': 'auto-generated' },
      })
    },
    close: () => transport.close(),
  }
}
