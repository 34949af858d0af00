import { type Insertable, type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { GrantToRevokeTable, Tables } from '../tables.ts'

type Db = Kysely<Tables>

/** No owner: the account is deleted. */
export async function insertGrant(trx: Transaction<Tables>, row: Insertable<GrantToRevokeTable>): Promise<void> {
  await trx.insertInto('grant_to_revoke').values(row).execute()
}

/** No owner: the account is deleted. */
export function findGrant(db: Db, id: string): Promise<Selectable<GrantToRevokeTable> | undefined> {
  return db.selectFrom('grant_to_revoke').selectAll().where('id', '=', id).executeTakeFirst()
}

/** No owner: the queue processes all waiting grants. Oldest first. */
export async function listGrants(db: Db, limit: number, after?: string): Promise<string[]> {
  const rows = await db
    .selectFrom('grant_to_revoke')
    .select('id')
    .$if(after !== undefined, (waiting) =>
      waiting.where(sql<boolean>`(created_at, id) > (select created_at, id from grant_to_revoke where id = ${after})`),
    )
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** No owner: revoked, or given up. */
export async function deleteGrant(db: Db, id: string): Promise<void> {
  await db.deleteFrom('grant_to_revoke').where('id', '=', id).execute()
}
