import { type Kysely, sql, type Transaction } from 'kysely'
import type { Tables } from '../tables.ts'

/** The last position that the receiver accepted. */
export async function findStreamed(db: Kysely<Tables>): Promise<string | undefined> {
  const row = await db.selectFrom('trail_stream').select('position').where('id', '=', 1).executeTakeFirst()
  return row?.position
}

/** The same, for the only process that sends; undefined while another one does. */
export async function lockStreamed(trx: Transaction<Tables>): Promise<string | undefined> {
  const row = await trx
    .selectFrom('trail_stream')
    .select('position')
    .where('id', '=', 1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  return row?.position
}

/** Allows this transaction to wait for the receiver; the pool's limit is shorter than the timeout of a request. */
export async function allowIdle(trx: Transaction<Tables>, idleMs: number): Promise<void> {
  await sql`set local idle_in_transaction_session_timeout = ${sql.lit(idleMs)}`.execute(trx)
}

export async function moveStreamed(trx: Transaction<Tables>, position: string, at: Date): Promise<void> {
  await trx.updateTable('trail_stream').set({ position, sent_at: at.toISOString() }).where('id', '=', 1).execute()
}
