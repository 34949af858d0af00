import { type Insertable, type Kysely, type Selectable, sql } from 'kysely'
import type { MailTable, Tables } from '../tables.ts'

export type MailRow = Selectable<MailTable>

export async function insertMail(db: Kysely<Tables>, row: Insertable<MailTable>): Promise<void> {
  await db.insertInto('mail').values(row).execute()
}

export function findMail(db: Kysely<Tables>, id: string): Promise<MailRow | undefined> {
  return db.selectFrom('mail').selectAll().where('id', '=', id).executeTakeFirst()
}

/**
 * Whether a mail was neither cancelled nor replaced by a later one of its kind. Mails to an account are compared by
 * account, mails to an address by address.
 */
export async function isNewestMail(
  db: Kysely<Tables>,
  { id, user_id, kind, recipient }: Pick<MailRow, 'id' | 'user_id' | 'kind' | 'recipient'>,
): Promise<boolean> {
  const mails = db.selectFrom('mail').select('id').where('kind', '=', kind).where('failed_at', 'is', null)
  const newest = await (
    user_id === null
      ? mails.where('user_id', 'is', null).where('recipient', '=', recipient)
      : mails.where('user_id', '=', user_id)
  )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return newest?.id === id
}

/** When mails of a kind were requested, newest first. */
export async function listMailTimes(
  db: Kysely<Tables>,
  userId: string,
  { kind, since, limit }: { kind: string; since: Date; limit: number },
): Promise<Date[]> {
  const rows = await db
    .selectFrom('mail')
    .select('created_at')
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .where('created_at', '>', since)
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ created_at }) => created_at)
}

export async function deleteWaitingMails(db: Kysely<Tables>, userId: string, kind: string): Promise<void> {
  await db
    .deleteFrom('mail')
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .where('sent_at', 'is', null)
    .execute()
}

/** No owner: these mails are addressed to an e-mail address. */
export async function deleteWaitingMailsTo(db: Kysely<Tables>, recipient: string, kind: string): Promise<void> {
  await db
    .deleteFrom('mail')
    .where('user_id', 'is', null)
    .where('recipient', '=', recipient)
    .where('kind', '=', kind)
    .where('sent_at', 'is', null)
    .where('failed_at', 'is', null)
    .execute()
}

/** No owner: no record of sent mails is kept for a deleted account. */
export async function deleteMail(db: Kysely<Tables>, id: string): Promise<void> {
  await db.deleteFrom('mail').where('id', '=', id).execute()
}

/** No owner: these mails were addressed to an e-mail address. */
export async function deleteMailsTo(db: Kysely<Tables>, recipients: string[]): Promise<void> {
  await db.deleteFrom('mail').where('user_id', 'is', null).where('recipient', 'in', recipients).execute()
}

/** No owner: the queue sends all waiting mails. Oldest first, after the last one of the previous page. */
export async function listWaitingMails(db: Kysely<Tables>, limit: number, after?: string): Promise<string[]> {
  const rows = await db
    .selectFrom('mail')
    .select('id')
    .where('sent_at', 'is', null)
    .where('failed_at', 'is', null)
    .$if(after !== undefined, (waiting) =>
      waiting.where(sql<boolean>`(created_at, id) > (select created_at, id from mail where id = ${after})`),
    )
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

export async function markMailSent(db: Kysely<Tables>, id: string, at: Date): Promise<void> {
  await db.updateTable('mail').set({ sent_at: at }).where('id', '=', id).where('sent_at', 'is', null).execute()
}

/** Settles a mail without sending it: it counts neither as failed nor toward the address's limit. */
export async function markMailUnneeded(db: Kysely<Tables>, id: string, { at, why }: { at: Date; why: string }) {
  await db
    .updateTable('mail')
    .set({ sent_at: at, failure: why })
    .where('id', '=', id)
    .where('sent_at', 'is', null)
    .execute()
}

/** No owner: sent mails addressed to an e-mail address. */
export async function countMailsTo(
  db: Kysely<Tables>,
  recipient: string,
  { kind, since }: { kind: string; since: Date },
): Promise<number> {
  const { count } = await db
    .selectFrom('mail')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('user_id', 'is', null)
    .where('recipient', '=', recipient)
    .where('kind', '=', kind)
    .where('sent_at', '>', since)
    .where('failure', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** No owner: sent mails to a new address, over all accounts. The address is stored as typed, so case is ignored. */
export async function countChangeMailsTo(db: Kysely<Tables>, recipient: string, since: Date): Promise<number> {
  const { count } = await db
    .selectFrom('mail')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where(sql<boolean>`lower(recipient) = lower(${recipient})`)
    .where('kind', '=', 'email-change')
    .where('sent_at', '>', since)
    .where('failure', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function markMailFailed(db: Kysely<Tables>, id: string, { at, failure }: { at: Date; failure: string }) {
  await db
    .updateTable('mail')
    .set({ failed_at: at, failure })
    .where('id', '=', id)
    .where('sent_at', 'is', null)
    .execute()
}

/** No owner: the job deletes all old mails. Returns their number: fewer than the limit means that none is left. */
export async function deleteMailsBefore(db: Kysely<Tables>, before: Date, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('mail')
    .where('id', 'in', (old) => old.selectFrom('mail').select('id').where('created_at', '<', before).limit(limit))
    .executeTakeFirst()
  return Number(numDeletedRows)
}
