import type { Actor } from '@tapeline/contracts/actor'
import type { Contact } from '@tapeline/contracts/identity/contact'
import type { Deps } from '../deps.ts'
import { recordMail } from '../mail/record-mail.ts'
import { clientOf } from '../sessions/client-of.ts'
import { countContactMessages, insertContactMessage } from './contact-queries.ts'

const HOUR_MS = 3_600_000
/** Further messages do not flood the operator's mailbox: they are mailed together (`sendContactDigest`). */
const MAILS_PER_HOUR = 60

/** Stores a message and mails it to CONTACT_EMAIL, if set. */
export async function contactOperator(deps: Deps, actor: Actor, input: Contact): Promise<void> {
  const { name, email, topic = 'other', message } = input
  const at = deps.now()
  const id = deps.newId()
  await deps.db.transaction().execute(async (trx) => {
    const recentCount = await countContactMessages(trx, new Date(at.getTime() - HOUR_MS))
    const network = clientOf(actor).network ?? null
    const isMailed = deps.contactEmail !== '' && recentCount < MAILS_PER_HOUR
    const times = { created_at: at, mailed_at: isMailed ? at : null }
    await insertContactMessage(trx, { id, name: name.trim(), email, topic, message, network, ...times })
    if (!isMailed) return
    const mail = { kind: 'contact' as const, name: name.trim(), email, topic, message }
    await recordMail(trx, deps, { userId: null, recipient: deps.contactEmail, mail })
  })
}
