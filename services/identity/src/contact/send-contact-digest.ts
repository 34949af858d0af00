import type { Deps } from '../deps.ts'
import { recordMail } from '../mail/record-mail.ts'
import {
  listUnmailedContactMessages,
  lockContactMessages,
  markContactMessagesMailed,
  type UnmailedMessage,
} from './contact-queries.ts'

const LISTED_MAX = 50
const TEXT_MAX = 500

/**
 * Job. Mails the operator, together, the messages that were not mailed one by one: their number, and the first texts.
 * Idempotent: each message is counted in one digest.
 */
export async function sendContactDigest(
  deps: Pick<Deps, 'db' | 'now' | 'newId' | 'secret' | 'contactEmail'>,
): Promise<number> {
  const { db, now, contactEmail } = deps
  if (contactEmail === '') return 0
  return db.transaction().execute(async (trx) => {
    await lockContactMessages(trx)
    const messages = await listUnmailedContactMessages(trx, LISTED_MAX)
    const total = await markContactMessagesMailed(trx, now())
    if (total === 0) return 0
    const mail = { kind: 'contact-digest' as const, total, messages: messages.map(shortened) }
    await recordMail(trx, deps, { userId: null, recipient: contactEmail, mail })
    return total
  })
}

function shortened({ message, ...sender }: UnmailedMessage): UnmailedMessage {
  const text = message.replaceAll(/\s+/g, ' ').trim()
  return { ...sender, message: text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}…` : text }
}
