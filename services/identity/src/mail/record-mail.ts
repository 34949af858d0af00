import type { Kysely } from 'kysely'
import type { Deps } from '../deps.ts'
import { encrypt } from '@tapeline/service/encryption'
import type { Tables } from '../tables.ts'
import type { Mail } from './mail.ts'
import { insertMail } from './mail-queries.ts'

export const MAIL_PURPOSE = 'what a mail says'

export type NewMail = {
  /** Defaults to a new id. The id of the mail's subject (a notice, for example) prevents a second mail about it. */
  id?: string | undefined
  userId: string | null
  recipient: string
  mail: Mail
}

/** Saves a mail in the transaction of its change: it is sent after the commit, or not at all. */
export async function recordMail(
  db: Kysely<Tables>,
  deps: Pick<Deps, 'now' | 'newId' | 'secret'>,
  { id = deps.newId(), userId, recipient, mail }: NewMail,
): Promise<void> {
  await insertMail(db, {
    id,
    user_id: userId,
    kind: mail.kind,
    recipient,
    sealed_data: encrypt({ secret: deps.secret, purpose: MAIL_PURPOSE }, JSON.stringify(mail)),
    created_at: deps.now(),
  })
}
