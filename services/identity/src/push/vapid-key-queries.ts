import type { Insertable, Kysely, Selectable } from 'kysely'
import type { VapidKeyTable } from '../notice-tables.ts'
import type { Tables } from '../tables.ts'

/** No owner: the platform's. */
export function findVapidKey(db: Kysely<Tables>): Promise<Selectable<VapidKeyTable> | undefined> {
  return db.selectFrom('vapid_key').selectAll().executeTakeFirst()
}

/** Does nothing when there is one: of two makers at once, the first one's is everybody's. */
export async function insertVapidKeyIfAbsent(db: Kysely<Tables>, row: Insertable<VapidKeyTable>): Promise<void> {
  await db
    .insertInto('vapid_key')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
