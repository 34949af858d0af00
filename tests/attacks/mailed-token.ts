import { send } from '@tapeline/testing/api-client'
import { waitUntil } from '@tapeline/testing/wait-until'
import { runningPlatform } from '../platform/running-platform.ts'

const SENT_WITHIN_MS = 60_000

export type MailedMessage = { subject: string; text: string; html: string }

/** Mails to one address, newest first. */
export async function mailsTo(email: string): Promise<MailedMessage[]> {
  const { mailUrl } = runningPlatform()
  const url = `${mailUrl}/messages?to=${encodeURIComponent(email)}`
  return (await send<{ messages: MailedMessage[] }>(url)).body.messages
}

export function mailWith(email: string, subject: string): Promise<MailedMessage> {
  const find = async () => (await mailsTo(email)).find((mail) => mail.subject === subject)
  return waitUntil(`the mail "${subject}"`, find, SENT_WITHIN_MS)
}

/** The token of a link to a page; `beside` contains the tokens of earlier links. */
export function mailedToken(email: string, page: string, beside: readonly string[] = []): Promise<string> {
  const pattern = new RegExp(`/auth/${page}\\?token=([\\w-]{43})\\b`)
  const find = async () => {
    const tokens = (await mailsTo(email)).flatMap(({ text }) => pattern.exec(text)?.[1] ?? [])
    return tokens.find((token) => !beside.includes(token))
  }
  return waitUntil(`a link to ${page}`, find, SENT_WITHIN_MS)
}
