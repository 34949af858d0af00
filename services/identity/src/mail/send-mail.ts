import { Value } from 'typebox/value'
import type { Deps } from '../deps.ts'
import { unseal } from '../sessions/seal.ts'
import { findUser, findUserByEmail, type UserRow } from '../users/user-queries.ts'
import { languageOf } from './language.ts'
import { Mail } from './mail.ts'
import { deleteMail, findMail, type MailRow, markMailSent } from './mail-queries.ts'
import { MAIL_PURPOSE } from './record-mail.ts'
import { renderLetter } from './render-letter.ts'
import type { SendLetter } from './mailer.ts'
import { writeLetter } from './write-letter.ts'

/**
 * Sends one recorded mail, under an id that stays the same however often it is tried: a crash between the mail server's
 * yes and ours is a repetition that the receiving side recognises by its Message-ID.
 */
export async function sendMail(
  deps: Deps,
  send: SendLetter,
  mailId: string,
): Promise<'sent' | 'nobody' | 'done before'> {
  const row = await findMail(deps.db, mailId)
  if (row === undefined || row.sent_at !== null) return 'done before'
  const mail = Value.Parse(Mail, JSON.parse(unseal({ secret: deps.secret, purpose: MAIL_PURPOSE }, row.sealed_data)))
  const user = await addressee(deps, row)
  const letter = await writeLetter(deps, { row, mail, user })
  if (letter !== undefined) {
    const profile = user === undefined ? undefined : await deps.findProfile(user.id, user.role)
    const language = mail.kind === 'account-deleted' ? mail.language : languageOf(profile)
    await send({ id: row.id, to: recipientOf(row, user), ...renderLetter(letter[language], language) })
  }
  if (mail.kind === 'account-deleted') await deleteMail(deps.db, row.id)
  else await markMailSent(deps.db, row.id, deps.now())
  return letter === undefined ? 'nobody' : 'sent'
}

/** Someone's own mail goes to the address that it was written for, also after a change of it. */
function recipientOf(row: MailRow, user: UserRow | undefined): string {
  return row.user_id === null ? (user?.email ?? row.recipient) : row.recipient
}

function addressee({ db }: Deps, row: MailRow): Promise<UserRow | undefined> {
  return row.user_id === null ? findUserByEmail(db, row.recipient) : findUser(db, row.user_id)
}
