import type { Insertable, Kysely, Transaction } from 'kysely'
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

/** No owner: the job deletes all expired messages. */
export async function deleteContactMessagesBefore(db: Kysely<Tables>, before: Date): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('contact_message').where('created_at', '<', before).executeTakeFirst()
  return Number(numDeletedRows)
}
