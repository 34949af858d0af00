import { type Kysely, sql, type Transaction } from 'kysely'
import type { Tables } from '../tables.ts'

type Trx = Transaction<Tables>

/** The last position that the receiver accepted. */
export async function findStreamed(db: Kysely<Tables>): Promise<string | undefined> {
  const row = await db.selectFrom('trail_stream').select('position').where('id', '=', 1).executeTakeFirst()
  return row?.position
}

/** A batch begins after `position` and ends with `pending`; null when no batch is being sent. */
type Streamed = { position: string; pending: string | null }

/** The state for the only process that sends; undefined while another one does. */
export function lockStreamed(trx: Trx): Promise<Streamed | undefined> {
  return (
    trx
      .selectFrom('trail_stream')
      .select('position')
      // A process of an earlier release moves the position without the pending batch.
      .select(sql<string | null>`case when pending > position then pending end`.as('pending'))
      .where('id', '=', 1)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst()
  )
}

/** Allows this transaction to wait for the receiver; the pool's limit is shorter than the timeout of a request. */
export async function allowIdle(trx: Trx, idleMs: number): Promise<void> {
  await sql`set local idle_in_transaction_session_timeout = ${sql.lit(idleMs)}`.execute(trx)
}

/** Position of the last entry of the batch after a position; null when there is no entry. */
export async function findBatchEnd(
  trx: Trx,
  { after, through }: { after: string; through: string },
  entriesMax: number,
): Promise<string | null> {
  const { rows } = await sql<{ last: string | null }>`
    select max(position) as last from (
      select position from audit_trail where position > ${after} and position <= ${through}
      order by position limit ${entriesMax}
    ) as batch`.execute(trx)
  return rows[0]?.last ?? null
}

export async function markPending(trx: Trx, pending: string): Promise<void> {
  await trx.updateTable('trail_stream').set({ pending }).where('id', '=', 1).execute()
}

export async function moveStreamed(trx: Trx, position: string, at: Date): Promise<void> {
  await trx
    .updateTable('trail_stream')
    .set({ position, pending: null, sent_at: at.toISOString() })
    .where('id', '=', 1)
    .execute()
}
