import type { Kysely } from 'kysely'
import type { Tables } from '../tables.ts'

type Db = Kysely<Tables>

export function findCheck(db: Db) {
  return db.selectFrom('trail_check').selectAll().where('id', '=', 1).executeTakeFirst()
}

export async function beginCheck(db: Db, at: Date): Promise<void> {
  const started = { started_at: at.toISOString(), finished_at: null }
  await db
    .insertInto('trail_check')
    .values({ id: 1, ...started, verdict: null })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(started))
    .execute()
}

export async function finishCheck(db: Db, at: Date, verdict: unknown): Promise<void> {
  await db
    .updateTable('trail_check')
    .set({ finished_at: at.toISOString(), verdict: JSON.stringify(verdict) })
    .where('id', '=', 1)
    .execute()
}
