import type { Kysely } from 'kysely'
import type { Deps } from '../deps.ts'
import { seal } from '../sessions/seal.ts'
import type { Tables } from '../tables.ts'
import type { Mail } from './mail.ts'
import { insertMail } from './mail-queries.ts'

export const MAIL_PURPOSE = 'what a mail says'

export type WantedMail = {
  /** That of what is told, so that it is told in one mail at most. */
  id?: string | undefined
  userId: string | null
  recipient: string
  mail: Mail
}

/** Saved with the change that it tells of: sent after the commit, or not at all. */
export async function recordMail(
  db: Kysely<Tables>,
  deps: Pick<Deps, 'now' | 'newId' | 'secret'>,
  { id = deps.newId(), userId, recipient, mail }: WantedMail,
): Promise<void> {
  await insertMail(db, {
    id,
    user_id: userId,
    kind: mail.kind,
    recipient,
    sealed_data: seal({ secret: deps.secret, purpose: MAIL_PURPOSE }, JSON.stringify(mail)),
    created_at: deps.now(),
  })
}
