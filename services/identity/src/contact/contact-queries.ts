import { type Insertable, type Kysely, sql, type Transaction } from 'kysely'
import type { ContactMessageTable, Tables } from '../tables.ts'

export async function insertContactMessage(
  trx: Transaction<Tables>,
  row: Insertable<ContactMessageTable>,
): Promise<void> {
  await trx.insertInto('contact_message').values(row).execute()
}

/** No owner: the contact form is public. */
export async function countContactMessages(trx: Transaction<Tables>, since: Date): Promise<number> {
  const { count } = await trx
    .selectFrom('contact_message')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** No owner. New messages wait until the transaction ends, so that the ones listed are the ones marked. */
export async function lockContactMessages(trx: Transaction<Tables>): Promise<void> {
  await sql`lock table contact_message in share row exclusive mode`.execute(trx)
}

/** No owner: the job mails them together. Returns how many there were. */
export async function markContactMessagesMailed(trx: Transaction<Tables>, at: Date): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('contact_message')
    .set({ mailed_at: at })
    .where('mailed_at', 'is', null)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

export type UnmailedMessage = { name: string; email: string; topic: string; message: string }

/** No owner. The first message of each network, then the second, and so on: a flood from one must not hide the others. */
export function listUnmailedContactMessages(trx: Transaction<Tables>, limit: number): Promise<UnmailedMessage[]> {
  return trx
    .selectFrom((eb) =>
      eb
        .selectFrom('contact_message')
        .select(['id', 'name', 'email', 'topic', 'message'])
        .select(({ fn }) =>
          fn
            .agg<string>('row_number')
            .over((over) => over.partitionBy('network').orderBy('created_at').orderBy('id'))
            .as('turn'),
        )
        .where('mailed_at', 'is', null)
        .as('unmailed'),
    )
    .select(['name', 'email', 'topic', 'message'])
    .orderBy('turn')
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** No owner: the job deletes all expired messages. */
export async function deleteContactMessagesBefore(db: Kysely<Tables>, before: Date): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('contact_message').where('created_at', '<', before).executeTakeFirst()
  return Number(numDeletedRows)
}
