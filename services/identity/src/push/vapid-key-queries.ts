import type { Insertable, Kysely, Selectable } from 'kysely'
import type { VapidKeyTable } from '../notice-tables.ts'
import type { Tables } from '../tables.ts'

/** Not filtered by owner: the key belongs to the platform. */
export function findVapidKey(db: Kysely<Tables>): Promise<Selectable<VapidKeyTable> | undefined> {
  return db.selectFrom('vapid_key').selectAll().executeTakeFirst()
}

/** Does nothing if a key exists: of two concurrent inserts, the first one wins. */
export async function insertVapidKeyIfAbsent(db: Kysely<Tables>, row: Insertable<VapidKeyTable>): Promise<void> {
  await db
    .insertInto('vapid_key')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
