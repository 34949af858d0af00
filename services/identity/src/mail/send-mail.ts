import { Value } from 'typebox/value'
import type { Deps } from '../deps.ts'
import { decrypt } from '@tapeline/service/encryption'
import { findUser, findUserByEmail, type UserRow } from '../users/user-queries.ts'
import { languageOf } from './language.ts'
import { Mail } from './mail.ts'
import {
  deleteMail,
  findMail,
  type MailRow,
  markMailFailed,
  markMailSent,
  markMailUnneeded,
  countChangeMailsTo,
  countMailsTo,
} from './mail-queries.ts'
import { MAIL_PURPOSE } from './record-mail.ts'
import { renderLetter } from './render-letter.ts'
import type { Attachment, SendLetter } from './mailer.ts'
import { writeLetter } from './write-letter.ts'

const FAILURE_MAX = 500
const CSV_TYPE = 'text/csv; charset=utf-8'

/**
 * Sends one recorded mail. Every attempt uses the same Message-ID, so that a repetition after a crash is recognized
 * as a duplicate by the receiver.
 */
export async function sendMail(
  deps: Deps,
  send: SendLetter,
  mailId: string,
): Promise<'sent' | 'no recipient' | 'too many' | 'refused' | 'done before'> {
  const row = await findMail(deps.db, mailId)
  if (row === undefined || row.sent_at !== null || row.failed_at !== null) return 'done before'
  const mail = Value.Parse(Mail, JSON.parse(decrypt({ secret: deps.secret, purpose: MAIL_PURPOSE }, row.sealed_data)))
  const user = await addressee(deps, row)
  // Checked before writing: a mail that is not sent must not invalidate an earlier link.
  if (await isTooMany(deps, row)) return settleUnneeded(deps, mailId, 'too many')
  const letter = await writeLetter(deps, { row, mail, user })
  if (letter === undefined) return settleUnneeded(deps, mailId, 'no recipient')
  const profile = user === undefined ? undefined : await deps.findProfile(user.id, user.role)
  const language = mail.kind === 'account-deleted' ? mail.language : languageOf(profile)
  const outgoing = {
    id: row.id,
    to: recipientOf(row, user),
    attachments: attachmentsOf(mail),
    ...renderLetter(letter[language], language),
  }
  const refusal = await refusalOf(send(outgoing))
  await settle(deps, { id: row.id, isKept: mail.kind !== 'account-deleted', refusal })
  return refusal === undefined ? 'sent' : 'refused'
}

async function settleUnneeded<T extends 'no recipient' | 'too many'>(
  { db, now }: Deps,
  id: string,
  why: T,
): Promise<T> {
  await markMailUnneeded(db, id, { at: now(), why })
  return why
}

/** Only temporary errors are retried. */
async function refusalOf(sending: Promise<void>): Promise<Error | undefined> {
  try {
    await sending
    return undefined
  } catch (error) {
    if (isPermanentRejection(error)) return error
    throw error
  }
}

type Settled = { id: string; isKept: boolean; refusal: Error | undefined }

async function settle({ db, now }: Deps, { id, isKept, refusal }: Settled): Promise<void> {
  if (!isKept) await deleteMail(db, id)
  else if (refusal === undefined) await markMailSent(db, id, now())
  else await markMailFailed(db, id, { at: now(), failure: refusal.message.slice(0, FAILURE_MAX) })
}

function attachmentsOf(mail: Mail): Attachment[] {
  if (mail.kind !== 'report') return []
  const { file_name: name, content_type: contentType = CSV_TYPE, file, csv = '' } = mail
  return [{ name, contentType, content: file === undefined ? Buffer.from(csv) : Buffer.from(file, 'base64') }]
}

/** Mails to a user go to the address they were written for, even after a change of it. */
function recipientOf(row: MailRow, user: UserRow | undefined): string {
  return row.user_id === null ? (user?.email ?? row.recipient) : row.recipient
}

function addressee({ db }: Deps, row: MailRow): Promise<UserRow | undefined> {
  return row.user_id === null ? findUserByEmail(db, row.recipient) : findUser(db, row.user_id)
}

const PERMANENT = 500
const ABOUT_THE_MAIL: readonly unknown[] = ['RCPT TO', 'DATA']

/**
 * True when the server rejects the recipient or the content. Errors of the server access are retried: an operator can
 * fix them.
 */
function isPermanentRejection(error: unknown): error is Error {
  if (!(error instanceof Error) || !('command' in error) || !('responseCode' in error)) return false
  return ABOUT_THE_MAIL.includes(error.command) && Number(error.responseCode) >= PERMANENT
}

const HOUR_MS = 3_600_000
const PER_HOUR = 5

/**
 * Whether an address has reached its hourly limit, over all senders and accounts, which protects mailboxes from being
 * flooded. Checked when the mail is sent, so that the response is the same for every address. Links for an account have
 * no such limit, which others could use up; they are mailed only when the account has no fresh one.
 */
async function isTooMany(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  { user_id, kind, recipient }: Pick<MailRow, 'user_id' | 'kind' | 'recipient'>,
): Promise<boolean> {
  const since = new Date(now().getTime() - HOUR_MS)
  if (kind === 'email-change') return (await countChangeMailsTo(db, recipient, since)) >= PER_HOUR
  if (user_id !== null || kind !== 'sign-up-tried') return false
  return (await countMailsTo(db, recipient, { kind, since })) >= PER_HOUR
}
