import type { Kysely, Transaction } from 'kysely'
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

export async function moveStreamed(trx: Transaction<Tables>, position: string, at: Date): Promise<void> {
  await trx.updateTable('trail_stream').set({ position, sent_at: at.toISOString() }).where('id', '=', 1).execute()
}
