import type { Insertable, Kysely, Selectable } from 'kysely'
import type { MailTable, Tables } from '../tables.ts'

export type MailRow = Selectable<MailTable>

export async function insertMail(db: Kysely<Tables>, row: Insertable<MailTable>): Promise<void> {
  await db.insertInto('mail').values(row).execute()
}

export function findMail(db: Kysely<Tables>, id: string): Promise<MailRow | undefined> {
  return db.selectFrom('mail').selectAll().where('id', '=', id).executeTakeFirst()
}

/** No owner: the queue takes whatever waits. Oldest first. */
export async function listWaitingMails(db: Kysely<Tables>, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('mail')
    .select('id')
    .where('sent_at', 'is', null)
    .where('failed_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

export async function markMailSent(db: Kysely<Tables>, id: string, at: Date): Promise<void> {
  await db.updateTable('mail').set({ sent_at: at }).where('id', '=', id).where('sent_at', 'is', null).execute()
}

export async function markMailFailed(db: Kysely<Tables>, id: string, { at, failure }: { at: Date; failure: string }) {
  await db
    .updateTable('mail')
    .set({ failed_at: at, failure })
    .where('id', '=', id)
    .where('sent_at', 'is', null)
    .execute()
}

/** No owner: the clock tidies up after everyone. */
export async function deleteMailsOver(db: Kysely<Tables>, before: Date): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('mail').where('created_at', '<', before).executeTakeFirst()
  return Number(numDeletedRows)
}
